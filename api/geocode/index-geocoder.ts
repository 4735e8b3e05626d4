import { distanceM } from '#routing-engine/earth.js';
import type { RoadNetwork } from '#routing-engine/road-network.js';
import { travelModes } from '#routing-engine/travel-mode.js';
import type { GeocodeResult, locationTypes } from '#schemas/http/geocode.js';
import { E7, type LatLng } from '#schemas/units.js';
import { typesOfCategory } from '#tile-builder/geocoding/category.js';
import type { GeocodeIndex } from '#tile-builder/geocoding/geocode-index.js';
import { NOTHING } from '#tile-builder/geocoding/index-file.js';
import { placesAt } from '#tile-builder/geocoding/reverse-places.js';
import { searchPlaces } from '#tile-builder/geocoding/search-places.js';
import { type AddressParts, addressLines, countryName } from './address-lines.js';
import type { GeocodedPlace, Geocoder, PlaceQuery } from './geocoder.js';
import { plusCode } from './plus-code.js';

/** The geocoder over an index and the network that its edges belong to; throws when they do not belong together. */
export function indexGeocoder(index: GeocodeIndex, network: RoadNetwork): Geocoder {
  if (index.head.tilesetId !== network.tilesetId)
    throw new Error(
      `the geocoding index belongs to tileset ${index.head.tilesetId} and not to ${network.tilesetId}; build the map again`,
    );
  const describe = (language: string) => placeDescriber(index, network, language);
  const find = (text: string, { language, near, limit }: PlaceQuery, prefix: boolean): GeocodedPlace[] => {
    const described = describe(language);
    return searchPlaces(index, text, { prefix, limit, ...(near === undefined ? {} : { near }) }).map(
      ({ row, partial }) => described(row, { partial }),
    );
  };
  return {
    tilesetId: index.head.tilesetId,
    search: (address, query) => find(address, query, false),
    complete: (input, query) => find(input, query, true),
    at(location, { language, limit }) {
      const described = describe(language);
      return placesAt(index, network, location)
        .slice(0, limit)
        .map(({ row, at }) => described(row, at === undefined ? {} : { at }));
    },
    byId(placeId, language) {
      const row = index.rowOf(placeId);
      return row === undefined ? undefined : describe(language)(row, {});
    },
  };
}

type LocationType = (typeof locationTypes)[number];

/** Half the side of the view around a point, in degrees: about 150 m. */
const viewDeg = 0.001_35;

function placeDescriber(index: GeocodeIndex, network: RoadNetwork, language: string) {
  const { data, head } = index;
  const base = language.split(/[-_]/)[0]!.toLowerCase();
  const country = countryName(head.country, base);
  const pointOf = (row: number): LatLng => ({ lat: data.latE7[row]! / E7, lng: data.lngE7[row]! / E7 });

  function partsOf(row: number): AddressParts {
    const townRow = index.kind(row) === 'settlement' ? NOTHING : data.settlement[row]!;
    const kind = index.kind(row);
    const street = index.isHouse(row) ? index.streetOf(row) : kind === 'street' ? row : undefined;
    const named =
      street === undefined ? index.name(row, base) || index.category(row).replaceAll('_', ' ') : '';
    return {
      name: named,
      street: street === undefined ? '' : index.name(street, base),
      houseNumber: index.isHouse(row) ? index.houseNumber(row) : '',
      postcode: index.text(data.postcode[row]!),
      town: townRow === NOTHING ? '' : index.name(townRow, base),
      countryCode: head.country,
      country,
    };
  }

  return (
    row: number,
    { partial = false, at }: { readonly partial?: boolean; readonly at?: LatLng },
  ): GeocodedPlace => {
    const parts = partsOf(row);
    const lines = addressLines(parts);
    const location = at === undefined ? pointOf(row) : { lat: round7(at.lat), lng: round7(at.lng) };
    const townRow = index.kind(row) === 'settlement' ? row : data.settlement[row]!;
    const town =
      townRow === NOTHING ? undefined : { name: index.name(townRow, base), location: pointOf(townRow) };
    return {
      result: {
        formatted_address: lines.join(', '),
        address_components: components(index, row, parts),
        geometry: {
          location,
          location_type: locationType(index, row),
          viewport: viewport(index, row, location),
        },
        ...(partial ? { partial_match: true as const } : {}),
        place_id: index.placeId(row),
        plus_code: plusCode(location, town),
        types: typesOf(index, row),
        routable: routables(index, network, row),
      },
      location,
      mainText: lines[0] ?? '',
      secondaryText: lines.slice(1).join(', '),
      onRoad(mode) {
        const access = index.access(row, mode);
        return access === undefined ? undefined : { ...access, tilesetId: head.tilesetId };
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
  }
}

function components(
  index: GeocodeIndex,
  row: number,
  parts: AddressParts,
): GeocodeResult['address_components'] {
  const component = (text: string, types: string[], short = text) =>
    text === '' ? [] : [{ long_name: text, short_name: short, types }];
  return [
    ...component(parts.name, typesOf(index, row)),
    ...component(parts.houseNumber, ['street_number']),
    ...component(parts.street, ['route']),
    ...component(parts.town, ['locality', 'political']),
    ...component(parts.postcode, ['postal_code']),
    ...component(parts.country, ['country', 'political'], parts.countryCode),
  ];
}

/** What a map should show of it: a street whole, a house with its neighbours. */
function viewport(
  index: GeocodeIndex,
  row: number,
  { lat, lng }: LatLng,
): GeocodeResult['geometry']['viewport'] {
  const box = index.isHouse(row) ? undefined : index.data.box.subarray(4 * row, 4 * row + 4);
  const [west, south, east, north] =
    box === undefined ? [lng, lat, lng, lat] : Array.from(box, (each) => each / E7);
  const corner = (cornerLat: number, cornerLng: number): LatLng => ({
    lat: round7(Math.min(90, Math.max(-90, cornerLat))),
    lng: round7(Math.min(180, Math.max(-180, cornerLng))),
  });
  return {
    northeast: corner(Math.max(north!, lat + viewDeg), Math.max(east!, lng + viewDeg)),
    southwest: corner(Math.min(south!, lat - viewDeg), Math.min(west!, lng - viewDeg)),
  };
}

/** Seven decimals are the resolution of the map; what a computation adds behind them is noise. */
const round7 = (degrees: number): number => Math.round(degrees * E7) / E7;

const centimetres = (metres: number): number => Math.round(100 * metres) / 100;

const routables = (index: GeocodeIndex, network: RoadNetwork, row: number): GeocodeResult['routable'] =>
  travelModes.flatMap((mode) => {
    const access = index.access(row, mode);
    if (access === undefined) return [];
    const { edge, fraction, side } = access;
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
