import type { Tags } from '#schemas/osm-sink.js';
import type { Drawing } from '../../format/map-feature.js';
import { attribute, nameAttributes, shortened } from './feature-attributes.js';

const places: ReadonlyMap<string, number> = new Map(
  Object.entries({
    city: 6,
    town: 8,
    village: 10,
    suburb: 11,
    island: 10,
    quarter: 12,
    hamlet: 12,
    neighbourhood: 13,
    locality: 14,
    farm: 14,
    isolated_dwelling: 14,
    square: 15,
  }),
);
const firstZoomOfCapitals = 4;

function drawPlace(tags: Tags): Drawing | undefined {
  const kind = tags.get('place') ?? '';
  const first = places.get(kind);
  const names = nameAttributes(tags);
  if (first === undefined || names.length === 0) return undefined;
  const capital = tags.get('capital') === 'yes';
  const population = Number.parseInt(tags.get('population') ?? '', 10);
  const attributes = [attribute('kind', capital ? 'capital' : kind), ...names];
  if (population >= 0) attributes.push(attribute('population', population));
  return {
    layer: 'place_labels',
    minZoom: capital ? Math.min(first, firstZoomOfCapitals) : first,
    attributes,
  };
}

const stopKinds: ReadonlyMap<string, readonly [kind: string, minZoom: number]> = new Map([
  ['railway=station', ['station', 12]],
  ['railway=halt', ['halt', 13]],
  ['railway=tram_stop', ['tram_stop', 14]],
  ['highway=bus_stop', ['bus_stop', 15]],
  ['amenity=bus_station', ['bus_station', 13]],
  ['amenity=ferry_terminal', ['ferry_terminal', 12]],
  ['aeroway=aerodrome', ['aerodrome', 11]],
]);
const stopKeys = ['railway', 'highway', 'amenity', 'aeroway'] as const;

function drawStop(tags: Tags): Drawing | undefined {
  for (const key of stopKeys) {
    const found = stopKinds.get(`${key}=${tags.get(key) ?? ''}`);
    if (found === undefined) continue;
    return {
      layer: 'public_transport',
      minZoom: found[1],
      attributes: [attribute('kind', found[0]), ...nameAttributes(tags)],
    };
  }
  return undefined;
}

const poiKeys = ['amenity', 'shop', 'tourism', 'historic', 'leisure'] as const;
/** Street furniture, and features that the map shows as areas. */
const minor = new Set(
  [
    'bench waste_basket waste_disposal bicycle_parking parking_space vending_machine street_lamp',
    'hunting_stand shelter clock parking parking_entrance motorcycle_parking recycling telephone',
    'grit_bin picnic_table information garden pitch swimming_pool',
  ].flatMap((words) => words.split(' ')),
);
const firstZoomOfNamedPois = 14;
const firstZoomOfOtherPois = 16;

function drawPoi(tags: Tags): Drawing | undefined {
  for (const key of poiKeys) {
    const value = tags.get(key);
    if (value === undefined || value === 'no' || value === 'yes' || value.length > 40) continue;
    const names = nameAttributes(tags);
    if (names.length === 0 && minor.has(value)) return undefined;
    const minZoom = names.length > 0 && !minor.has(value) ? firstZoomOfNamedPois : firstZoomOfOtherPois;
    return { layer: 'pois', minZoom, attributes: [attribute(key, value), ...names] };
  }
  return undefined;
}

const firstZoomOfAddresses = 16;

function drawAddress(tags: Tags): Drawing | undefined {
  const number = shortened(tags.get('addr:housenumber'));
  if (number === undefined) return undefined;
  return {
    layer: 'addresses',
    minZoom: firstZoomOfAddresses,
    attributes: [attribute('housenumber', number)],
  };
}

/** Point features: of a node, or in the middle of an area. */
export function* drawPoints(tags: Tags): Iterable<Drawing> {
  const place = drawPlace(tags);
  if (place !== undefined) yield place;
  const stop = drawStop(tags);
  const thing = stop ?? drawPoi(tags);
  if (thing !== undefined) yield thing;
  const address = drawAddress(tags);
  if (address !== undefined) yield address;
}
