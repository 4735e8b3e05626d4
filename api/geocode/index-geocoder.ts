import { typesOfCategory } from '#geocoding/index/category.js';
import type { GeocodeIndex } from '#geocoding/index/geocode-index.js';
import { NOTHING } from '#geocoding/index/index-file.js';
import { indexedAs, indexedModes } from '#geocoding/index/indexed-modes.js';
import { RoadAccess } from '#geocoding/index/road-access.js';
import { placesAt } from '#geocoding/query/reverse-places.js';
import { searchPlaces } from '#geocoding/query/search-places.js';
import { distanceM } from '#routing-engine/network/earth.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { GeocodeResult, locationTypes } from '#schemas/http/geocode.js';
import { E7, type LatLng } from '#schemas/units.js';
import type { GeocodedPlace, Geocoder, PlaceQuery } from '../ports/geocoder.js';
import { type AddressParts, addressLines, countryName } from './address-lines.js';
import { askedCrossing, type Crossing, crossingAt, edgesFrom, findCrossing, placeOf } from './crossings.js';
import { indexPlaceFinder } from './index-place-finder.js';
import { otherTileset } from './messages.js';
import { plusCode } from './plus-code.js';

/**
 * The geocoder over an index and the network that its edges belong to; throws when they do not belong
 * together.
 */
export function indexGeocoder(index: GeocodeIndex, network: RoadNetwork): Geocoder {
  if (index.head.tilesetId !== network.tilesetId)
    throw new Error(otherTileset(index.head.tilesetId, network.tilesetId));
  const access = new RoadAccess(index, network);
  const describe = (language: string) => placeDescriber(index, access, network, language);
  const find = (text: string, { language, near, limit }: PlaceQuery, prefix: boolean): GeocodedPlace[] => {
    const described = describe(language);
    const options = { prefix, ...(near === undefined ? {} : { near }) };
    const found = searchPlaces(index, text, { ...options, limit });
    const places = found.map(({ row, partial }) => described(row, { partial }));
    // A street may have the name `A & B`: only if there is none, two streets are meant.
    const [first] = found;
    const isName = first !== undefined && (!first.partial || isCalledLikeTwo(index, first.row));
    const asked = isName ? undefined : askedCrossing(text);
    const crossing = asked && findCrossing(index, network, asked, options);
    return crossing === undefined ? places : [crossingPlace(crossing, described), ...places].slice(0, limit);
  };
  const crossingPlace = (crossing: Crossing, described: Describe): GeocodedPlace =>
    placeOfCrossing(network, crossing, described);
  return {
    tilesetId: index.head.tilesetId,
    places: indexPlaceFinder(index, network),
    search: (address, query) => find(address, query, false),
    complete: (input, query) => find(input, query, true),
    at(location, { language, limit }) {
      const described = describe(language);
      return placesAt(index, network, location)
        .slice(0, limit)
        .map(({ row, at }) => described(row, at === undefined ? {} : { at }));
    },
    byId(placeId, language) {
      const node = /^x(-?\d{1,15})$/.exec(placeId)?.[1];
      if (node !== undefined) {
        const crossing = crossingAt(index, network, Number(node));
        return crossing && crossingPlace(crossing, describe(language));
      }
      const row = index.rowOf(placeId);
      return row === undefined ? undefined : describe(language)(row, {});
    },
  };
}

const isCalledLikeTwo = (index: GeocodeIndex, row: number): boolean =>
  askedCrossing(index.name(index.isHouse(row) ? index.streetOf(row) : row, '')) !== undefined;

type Describe = ReturnType<typeof placeDescriber>;

/** A crossing has the address of its first street, with both names in front. */
function placeOfCrossing(network: RoadNetwork, crossing: Crossing, described: Describe): GeocodedPlace {
  const location = placeOf(network, crossing.node);
  const [first, second] = crossing.streets.map((row) =>
    described(row, { at: location, partial: crossing.partial }),
  ) as [GeocodedPlace, GeocodedPlace];
  const name = `${first.mainText} & ${second.mainText}`;
  const edges = edgesFrom(network, crossing.node);
  const types = ['intersection'];
  return {
    result: {
      ...first.result,
      formatted_address: [name, first.secondaryText].filter((line) => line !== '').join(', '),
      address_components: [
        { long_name: name, short_name: name, types },
        ...first.result.address_components.filter((component) => !component.types.includes('route')),
      ],
      geometry: { location, location_type: 'GEOMETRIC_CENTER', viewport: viewAround(location) },
      place_id: `x${network.arrays.nodeOsmId[crossing.node]!}`,
      types,
      routable: [...edges].map(([mode, edge]) => ({
        mode,
        edge_id: network.edgeId(edge),
        offset_m: 0,
        side: 'on',
      })),
    },
    location,
    mainText: name,
    secondaryText: first.secondaryText,
    onRoad(mode) {
      const edge = edges.get(indexedAs(mode));
      return edge === undefined ? undefined : { edge, fraction: 0, side: 'on', tilesetId: network.tilesetId };
    },
  };
}

type LocationType = (typeof locationTypes)[number];

/** Half the side of the view around a point, in degrees: about 150 m. */
const viewDeg = 0.001_35;

function placeDescriber(index: GeocodeIndex, access: RoadAccess, network: RoadNetwork, language: string) {
  const { data, head } = index;
  const base = language.split(/[-_]/)[0]!.toLowerCase();
  const codes = new Map(head.countryCodes);
  const usualCountry = countryName(head.country, base);
  const pointOf = (row: number): LatLng => ({ lat: data.latE7[row]! / E7, lng: data.lngE7[row]! / E7 });

  function partsOf(row: number, around: readonly number[]): AddressParts {
    const townRow = index.kind(row) === 'settlement' ? NOTHING : data.settlement[row]!;
    const kind = index.kind(row);
    const countryRow = around.find((area) => index.kind(area) === 'country');
    const countryCode = (countryRow === undefined ? undefined : codes.get(countryRow)) ?? head.country;
    const country = countryRow === undefined ? usualCountry : index.name(countryRow, base);
    const street = index.isHouse(row) ? index.streetOf(row) : kind === 'street' ? row : undefined;
    const named =
      street === undefined ? index.name(row, base) || index.category(row).replaceAll('_', ' ') : '';
    return {
      name: named,
      street: street === undefined ? '' : index.name(street, base),
      houseNumber: index.isHouse(row) ? index.houseNumber(row) : '',
      postcode: index.text(data.postcode[row]!),
      town: townRow === NOTHING ? '' : index.name(townRow, base),
      countryCode,
      country: kind === 'country' ? '' : country,
    };
  }

  return (
    row: number,
    { partial = false, at }: { readonly partial?: boolean; readonly at?: LatLng },
  ): GeocodedPlace => {
    // A street is described at the place of the query: it may run through several places.
    const around = (at === undefined ? index.areasAround(row) : index.areasAt(at)).filter(
      (area) => area !== row,
    );
    const parts = partsOf(row, around);
    const lines = addressLines(parts);
    const location = at === undefined ? pointOf(row) : { lat: round7(at.lat), lng: round7(at.lng) };
    const townRow = index.kind(row) === 'settlement' ? row : data.settlement[row]!;
    const town =
      townRow === NOTHING ? undefined : { name: index.name(townRow, base), location: pointOf(townRow) };
    return {
      result: {
        formatted_address: lines.join(', '),
        address_components: components(index, row, parts, around, base),
        geometry: {
          location,
          location_type: locationType(index, row),
          viewport: viewport(index, row, location),
          ...(index.isArea(row) ? { bounds: boundsOf(index, row) } : {}),
        },
        ...(partial ? { partial_match: true as const } : {}),
        place_id: index.placeId(row),
        plus_code: plusCode(location, town),
        types: typesOf(index, row),
        routable: routables(access, network, row),
      },
      location,
      mainText: lines[0] ?? '',
      secondaryText: lines.slice(1).join(', '),
      onRoad(mode) {
        const place = access.to(row, mode);
        return place === undefined ? undefined : { ...place, tilesetId: head.tilesetId };
      },
    };
  };
}

function locationType(index: GeocodeIndex, row: number): LocationType {
  switch (index.kind(row)) {
    case 'house':
      return index.isInterpolated(row) ? 'RANGE_INTERPOLATED' : 'ROOFTOP';
    case 'poi':
    case 'street':
      return 'GEOMETRIC_CENTER';
    case 'settlement':
    case 'suburb':
    case 'region':
    case 'country':
      return 'APPROXIMATE';
  }
}

function typesOf(index: GeocodeIndex, row: number): string[] {
  switch (index.kind(row)) {
    case 'house':
      return ['street_address'];
    case 'street':
      return ['route'];
    case 'poi':
      return typesOfCategory(index.category(row));
    case 'settlement':
      return ['locality', 'political'];
    case 'suburb':
      return index.category(row) === 'neighbourhood'
        ? ['neighborhood', 'political']
        : ['sublocality', 'political'];
    case 'region':
    case 'country':
      return [index.category(row), 'political'];
  }
}

/** Areas from the smallest to the largest. The town of the address is added if it is not among them. */
function components(
  index: GeocodeIndex,
  row: number,
  parts: AddressParts,
  around: readonly number[],
  language: string,
): GeocodeResult['address_components'] {
  const component = (text: string, types: string[], short = text) =>
    text === '' ? [] : [{ long_name: text, short_name: short, types }];
  const areas = around.filter((area) => index.kind(area) !== 'country');
  const isLocated = areas.some((area) => index.kind(area) === 'settlement');
  const isNamed = areas.some((area) => index.name(area, language) === parts.town);
  return [
    ...component(parts.name, typesOf(index, row)),
    ...component(parts.houseNumber, ['street_number']),
    ...component(parts.street, ['route']),
    ...(isLocated ? [] : component(parts.town, ['locality', 'political'])),
    ...areas.flatMap((area) => component(index.name(area, language), typesOf(index, area))),
    ...(isLocated && !isNamed ? component(parts.town, ['postal_town']) : []),
    ...component(parts.postcode, ['postal_code']),
    ...component(parts.country, ['country', 'political'], parts.countryCode || parts.country),
  ];
}

function boundsOf({ data }: GeocodeIndex, row: number): GeocodeResult['geometry']['viewport'] {
  const [west, south, east, north] = Array.from(data.box.subarray(4 * row, 4 * row + 4), (each) => each / E7);
  return { northeast: { lat: north!, lng: east! }, southwest: { lat: south!, lng: west! } };
}

const viewAround = (location: LatLng): GeocodeResult['geometry']['viewport'] =>
  viewOver([location.lng, location.lat, location.lng, location.lat], location);

/** What a map should show of a place: a complete street, a house with those around it. */
function viewport(index: GeocodeIndex, row: number, location: LatLng): GeocodeResult['geometry']['viewport'] {
  const box = index.isHouse(row) ? undefined : index.data.box.subarray(4 * row, 4 * row + 4);
  return box === undefined
    ? viewAround(location)
    : viewOver(
        Array.from(box, (each) => each / E7),
        location,
      );
}

function viewOver(
  [west, south, east, north]: readonly number[],
  { lat, lng }: LatLng,
): GeocodeResult['geometry']['viewport'] {
  const corner = (cornerLat: number, cornerLng: number): LatLng => ({
    lat: round7(Math.min(90, Math.max(-90, cornerLat))),
    lng: round7(Math.min(180, Math.max(-180, cornerLng))),
  });
  return {
    northeast: corner(Math.max(north!, lat + viewDeg), Math.max(east!, lng + viewDeg)),
    southwest: corner(Math.min(south!, lat - viewDeg), Math.min(west!, lng - viewDeg)),
  };
}

/** Seven decimals are the resolution of the map. */
const round7 = (degrees: number): number => Math.round(degrees * E7) / E7;

const centimetres = (metres: number): number => Math.round(100 * metres) / 100;

const routables = (access: RoadAccess, network: RoadNetwork, row: number): GeocodeResult['routable'] =>
  indexedModes.flatMap((mode) => {
    const place = access.to(row, mode);
    if (place === undefined) return [];
    const { edge, fraction, side } = place;
    return [
      {
        mode,
        edge_id: network.edgeId(edge),
        offset_m: centimetres(fraction * network.edgeLengthM(edge)),
        side,
      },
    ];
  });

export const metresBetween = (a: LatLng, b: LatLng): number => distanceM(a.lng, a.lat, b.lng, b.lat);
