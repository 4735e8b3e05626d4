import type { GeocodedPlace, Geocoder } from '#api/ports/geocoder.js';
import type { LoadSite } from '#hotel/load/load-hotels.js';
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
/** Streets around each hotel in which a house with a number is searched. */
const streetsLookedAt = 30;
/** Distance from a house to its road. */
const houseMetersMax = 100;

/** Names on the map. */
export interface MapNames {
  /** For people. */
  readonly name: string;
  /** Its country, in two letters; empty if unknown. */
  readonly country: string;
  /** Absent if no index of places was built. */
  readonly geocoder?: Geocoder;
}

/**
 * Sites for hotels near streets, far from one another: each at a house with a number where the map has one,
 * otherwise on a street near it. Every site is reachable by car from the largest part of the network. Fewer
 * than requested if the map has too few named streets.
 */
export function hotelSites(network: RoadNetwork, names: MapNames, count: number): LoadSite[] {
  const streets = streetEdges(network, names.country);
  const used = new Set<string>();
  const sites: LoadSite[] = [];
  for (let hotel = 0; hotel < count; hotel++) {
    const first = Math.floor(((hotel + 0.5) / count) * streets.length);
    const near = [...nextStreets(network, streets, first, used)];
    const found = near.map((edge) => houseNear(network, names, edge)).find((place) => place !== undefined);
    const site = found ?? (near[0] === undefined ? undefined : streetSite(network, names, near[0]));
    if (site === undefined) break;
    used.add(site.street);
    const { street, at, address } = site;
    const { timeZone, currency } = customsAt(at);
    sites.push({ name: `Meridian ${street}`, address, ...at, timeZone, currency });
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

/** Edges of streets that have no hotel yet, from one on, each street once. */
function* nextStreets(
  network: RoadNetwork,
  streets: readonly number[],
  first: number,
  used: ReadonlySet<string>,
): Iterable<number> {
  const seen = new Set(used);
  for (let step = 0; step < streets.length && seen.size < used.size + streetsLookedAt; step++) {
    const edge = streets[(first + step) % streets.length]!;
    const street = network.edgeName(edge);
    if (seen.has(street)) continue;
    seen.add(street);
    yield edge;
  }
}

function middleOf(network: RoadNetwork, edge: number): LatLng {
  const [lng, lat] = cutLine(network.edgeGeometry(edge), 0.5, 0.5);
  return { lat: Math.round(lat! * E7) / E7, lng: Math.round(lng! * E7) / E7 };
}

const placesAt = ({ geocoder }: MapNames, at: LatLng): GeocodedPlace[] =>
  geocoder?.at(at, { language: '', limit: 10 }) ?? [];

/** A house in the same street whose nearest road is reachable by car. */
function houseNear(network: RoadNetwork, names: MapNames, edge: number): Site | undefined {
  const street = network.edgeName(edge);
  const middle = middleOf(network, edge);
  for (const { result, location } of placesAt(names, middle)) {
    if (!result.types.includes('street_address')) continue;
    const route = result.address_components.find(({ types }) => types.includes('route'));
    if (route?.long_name !== street) continue;
    const [road] = snap(network, location, { mode: 'driving', maxMeters: houseMetersMax });
    if (customsAt(location).country !== customsAt(middle).country) continue;
    if (road === undefined || network.arrays.part[modeIndex('driving') * network.edgeCount + road.edge] !== 0)
      continue;
    return { street, address: result.formatted_address, at: location };
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
