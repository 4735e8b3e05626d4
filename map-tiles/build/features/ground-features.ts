import type { Tags } from '#schemas/osm-sink.js';
import type { LayerName } from '../../format/layers.js';
import type { Drawing } from '../../format/map-feature.js';
import { attribute, nameAttributes } from './feature-attributes.js';

/** `kind` and first zoom by the value of a tag. */
type Kinds = Readonly<Record<string, readonly [kind: string, minZoom: number]>>;

const same = (minZoom: number, ...values: readonly string[]): Kinds =>
  Object.fromEntries(values.map((value) => [value, [value, minZoom] as const]));

interface Rule {
  readonly key: string;
  readonly layer: LayerName;
  readonly kinds: ReadonlyMap<string, readonly [string, number]>;
}
const rule = (key: string, layer: LayerName, kinds: Kinds): Rule => ({
  key,
  layer,
  kinds: new Map(Object.entries(kinds)),
});

/** The first match decides how the area is drawn. */
const rules: readonly Rule[] = [
  rule('natural', 'water_polygons', { water: ['water', 4], glacier: ['glacier', 4], bay: ['water', 99] }),
  rule('waterway', 'water_polygons', { riverbank: ['river', 4], dock: ['dock', 10], canal: ['canal', 10] }),
  rule('landuse', 'water_polygons', { basin: ['basin', 7], reservoir: ['water', 4] }),
  rule('leisure', 'water_polygons', { swimming_pool: ['swimming_pool', 15] }),
  rule('leisure', 'land', {
    ...same(11, 'park', 'garden', 'golf_course', 'nature_reserve'),
    ...same(13, 'playground', 'miniature_golf', 'pitch', 'track'),
    common: ['park', 12],
  }),
  rule('natural', 'land', {
    wood: ['forest', 7],
    ...same(10, 'sand', 'beach', 'bare_rock', 'scree', 'shingle'),
    ...same(11, 'heath', 'scrub', 'grassland', 'wetland'),
  }),
  rule('landuse', 'land', {
    ...same(7, 'forest'),
    ...same(
      10,
      'residential',
      'industrial',
      'commercial',
      'retail',
      'railway',
      'landfill',
      'farmland',
      'farmyard',
    ),
    ...same(
      11,
      'grass',
      'meadow',
      'orchard',
      'vineyard',
      'allotments',
      'plant_nursery',
      'quarry',
      'military',
    ),
    ...same(11, 'greenhouse_horticulture', 'village_green', 'recreation_ground', 'brownfield', 'greenfield'),
    ...same(12, 'cemetery', 'garages'),
    construction: ['construction', 12],
  }),
  rule('amenity', 'land', { grave_yard: ['cemetery', 12] }),
  rule('amenity', 'sites', same(14, 'university', 'college', 'school', 'hospital', 'prison', 'parking')),
  rule('leisure', 'sites', { sports_centre: ['sports_center', 14], stadium: ['sports_center', 13] }),
  rule('aeroway', 'sites', { aerodrome: ['aerodrome', 11], apron: ['aerodrome', 13] }),
];

/** Land cover and water. */
export function drawGround(tags: Tags): Drawing | undefined {
  for (const { key, layer, kinds } of rules) {
    const value = tags.get(key);
    const found = value === undefined ? undefined : kinds.get(value);
    if (found === undefined) continue;
    const kind = value === 'water' && tags.get('water') === 'river' ? 'river' : found[0];
    return { layer, minZoom: found[1], attributes: [attribute('kind', kind), ...nameAttributes(tags, 12)] };
  }
  return undefined;
}

export function drawBuilding(tags: Tags): Drawing | undefined {
  const building = tags.get('building');
  if (building === undefined || building === 'no' || tags.get('location') === 'underground') return undefined;
  return { layer: 'buildings', minZoom: 13, attributes: [] };
}

const waterLines: ReadonlyMap<string, number> = new Map(
  Object.entries({ river: 9, canal: 10, stream: 13, ditch: 14, drain: 14 }),
);

export function drawWaterLine(tags: Tags): Drawing | undefined {
  const kind = tags.get('waterway') ?? '';
  const minZoom = waterLines.get(kind);
  if (minZoom === undefined || (tags.has('tunnel') && tags.get('tunnel') !== 'no')) return undefined;
  return {
    layer: 'water_lines',
    minZoom,
    attributes: [attribute('kind', kind), ...nameAttributes(tags, 12)],
  };
}

const borderZooms: ReadonlyMap<number, number> = new Map([
  [2, 6],
  [3, 6],
  [4, 6],
  [6, 10],
  [8, 12],
]);

/** A border line of this level; `undefined` when the map does not show such borders. */
export function drawBorder(adminLevel: number, maritime: boolean): Drawing | undefined {
  const minZoom = borderZooms.get(adminLevel);
  if (minZoom === undefined) return undefined;
  const attributes = [attribute('admin_level', adminLevel)];
  if (maritime) attributes.push(attribute('maritime', true));
  return { layer: 'boundaries', minZoom, attributes };
}
