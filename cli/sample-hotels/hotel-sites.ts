import type { GeocodedPlace, Geocoder } from '#api/ports/geocoder.js';
import type { LoadSite } from '#hotel/load/load-hotels.js';
import { distanceM } from '#routing-engine/network/earth.js';
import { edgeFlag, roadClasses } from '#routing-engine/network/edge-flags.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { modeIndex } from '#routing-engine/network/travel-mode.js';
import { cutLine } from '#routing-engine/route/path-geometry.js';
import { snap } from '#routing-engine/snap/snap.js';
import { E7, type LatLng } from '#schemas/units.js';
import { customsAt } from './customs-at.js';

/** Road classes on which hotels can be. */
const streetClasses = new Set(
  (['primary', 'secondary', 'tertiary', 'unclassified', 'residential', 'living_street'] as const).map(
    (name) => roadClasses.indexOf(name),
  ),
);
const notStreets =
  edgeFlag.toll |
  edgeFlag.motorway |
  edgeFlag.ferry |
  edgeFlag.roundabout |
  edgeFlag.link |
  edgeFlag.tunnel |
  edgeFlag.bridge |
  edgeFlag.copy |
  edgeFlag.endsOnlyDriving;
/** How far from its street a hotel may be so that it has a number. */
const houseWithinM = 3_000;
const housesLookedAt = 100;
/** From a house to its street. */
const houseMetersMax = 100;
const roadsLookedAt = 16;

/** Names on the map. */
export interface MapNames {
  /** For people. */
  readonly name: string;
  /** Its country, in two letters; empty if unknown. */
  readonly country: string;
  /** Absent if no index of places was built. */
  readonly geocoder?: Geocoder;
  /** Where houses with numbers are. */
  readonly houses?: readonly LatLng[];
}

/**
 * Sites for hotels, spread like the streets: each at a house with a number where the map has one within
 * three kilometres, otherwise in the middle of a street. Every site is reachable by car from the largest part
 * of the network. Fewer than requested where the map has too few named streets.
 */
export function hotelSites(network: RoadNetwork, names: MapNames, count: number): LoadSite[] {
  const streets = streetEdges(network, names.country);
  const used = new Set<string>();
  const sites: LoadSite[] = [];
  for (let hotel = 0; hotel < count; hotel++) {
    const first = Math.floor(((hotel + 0.5) / count) * streets.length);
    const edge = nextStreet(network, streets, first, used);
    if (edge === undefined) break;
    const site = houseNear(network, names, edge, used) ?? streetSite(network, names, edge);
    used.add(site.street);
    const { street, at, address } = site;
    const { timeZone, currency, country } = customsAt(at);
    const known = country === '' ? {} : { country };
    sites.push({ name: `Meridian ${street}`, address, ...at, timeZone, currency, ...known });
  }
  return sites;
}

interface Site {
  readonly street: string;
  readonly address: string;
  readonly at: LatLng;
}

/**
 * One edge of each section of a named street that is open to all drivers, along a curve that keeps adjacent
 * ones together. An extract may cross borders: all sites are in the country of the map, or else in that of
 * the middle of its streets.
 */
function streetEdges({ arrays, edgeCount }: RoadNetwork, ofMap: string): number[] {
  const { flags, name, part, pieceEdge, roadClass, speedKph, tail, nodeLatE7, nodeLngE7 } = arrays;
  const row = modeIndex('driving') * edgeCount;
  const found: { readonly edge: number; readonly at: LatLng }[] = [];
  for (const edge of pieceEdge) {
    if (speedKph[row + edge] === 0 || part[row + edge] !== 0 || name[edge] === 0) continue;
    if (!streetClasses.has(roadClass[edge]!) || (flags[edge]! & notStreets) !== 0) continue;
    found.push({ edge, at: { lat: nodeLatE7[tail[edge]!]! / E7, lng: nodeLngE7[tail[edge]!]! / E7 } });
  }
  if (found.length === 0) return [];
  const middle = { lat: median(found.map(({ at }) => at.lat)), lng: median(found.map(({ at }) => at.lng)) };
  const country = ofMap || customsAt(middle).country;
  const here = found.filter(({ at }) => customsAt(at).country === country);
  return (here.length > 0 ? here : found)
    .map(({ edge, at }) => ({ edge, place: onCurve((at.lng + 180) / 360, (at.lat + 90) / 180) }))
    .sort((a, b) => a.place - b.place || a.edge - b.edge)
    .map(({ edge }) => edge);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Place on a Z-order curve of a point of the unit square: 26 bits of each coordinate in turn. */
function onCurve(x: number, y: number): number {
  let place = 0;
  for (let bit = 1; bit <= 26; bit++)
    place = 4 * place + 2 * (Math.floor(y * 2 ** bit) % 2) + (Math.floor(x * 2 ** bit) % 2);
  return place;
}

/** The first edge, from one on, of a street that has no hotel yet. */
function nextStreet(
  network: RoadNetwork,
  streets: readonly number[],
  first: number,
  used: ReadonlySet<string>,
): number | undefined {
  for (let step = 0; step < streets.length; step++) {
    const edge = streets[(first + step) % streets.length]!;
    if (!used.has(network.edgeName(edge))) return edge;
  }
  return undefined;
}

function middleOf(network: RoadNetwork, edge: number): LatLng {
  const [lng, lat] = cutLine(network.edgeGeometry(edge), 0.5, 0.5);
  return { lat: Math.round(lat! * E7) / E7, lng: Math.round(lng! * E7) / E7 };
}

const placesAt = ({ geocoder }: MapNames, at: LatLng): GeocodedPlace[] =>
  geocoder?.at(at, { language: '', limit: 10 }) ?? [];

/** The nearest house with its own street beside it, whose nearest road can be driven to. */
function houseNear(
  network: RoadNetwork,
  names: MapNames,
  edge: number,
  used: ReadonlySet<string>,
): Site | undefined {
  const middle = middleOf(network, edge);
  const { country } = customsAt(middle);
  const near = (names.houses ?? [])
    .map((at) => ({ at, metres: distanceM(at.lng, at.lat, middle.lng, middle.lat) }))
    .filter(({ metres }) => metres <= houseWithinM)
    .sort((a, b) => a.metres - b.metres)
    .slice(0, housesLookedAt);
  for (const { at } of near) {
    const house = placesAt(names, at).find(({ result }) => result.types.includes('street_address'));
    if (house?.result.geometry.location_type !== 'ROOFTOP') continue;
    const route = house.result.address_components.find(({ types }) => types.includes('route'));
    if (route === undefined || used.has(route.long_name) || customsAt(at).country !== country) continue;
    const roads = snap(network, at, { mode: 'driving', maxMeters: houseMetersMax, limit: roadsLookedAt });
    if (!roads.some((road) => network.edgeName(road.edge) === route.long_name)) continue;
    if (network.arrays.part[modeIndex('driving') * network.edgeCount + roads[0]!.edge] !== 0) continue;
    return { street: route.long_name, address: house.result.formatted_address, at: house.location };
  }
  return undefined;
}

function streetSite(network: RoadNetwork, names: MapNames, edge: number): Site {
  const at = middleOf(network, edge);
  const street = network.edgeName(edge);
  const known = placesAt(names, at).find(({ result }) => result.types.includes('route'));
  const address = known?.result.formatted_address ?? street;
  return { street, address: address === street ? `${street}, ${names.name}` : address, at };
}
