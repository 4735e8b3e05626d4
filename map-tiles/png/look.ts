/** The look of the PNG tiles. Widths are pixels of a 256-pixel tile. */
export const ground = '#f3f1ec';
export const water = '#a8cbe0';
export const border = '#8a7a94';
export const ferry = '#6f9dc4';
export const rail = '#8d8d92';
export const building = '#dcd5cb';
export const square = '#e9e6df';

const wood = '#bcd6ac';
const green = '#d3e6bf';
const field = '#eceddb';
const built = '#e9e6e1';
const works = '#e6e0e2';
const sand = '#f2e8c6';

/** Colour of `land` and `sites` by kind; a kind that is not here is not drawn. */
export const groundColours: ReadonlyMap<string, string> = new Map([
  ...['forest', 'scrub', 'heath'].map((kind): [string, string] => [kind, wood]),
  ...[
    'park',
    'garden',
    'golf_course',
    'playground',
    'miniature_golf',
    'pitch',
    'track',
    'grass',
    'meadow',
  ].map((kind): [string, string] => [kind, green]),
  ...[
    'grassland',
    'orchard',
    'vineyard',
    'allotments',
    'plant_nursery',
    'village_green',
    'cemetery',
    'wetland',
  ].map((kind): [string, string] => [kind, green]),
  ...['recreation_ground', 'nature_reserve'].map((kind): [string, string] => [kind, green]),
  ...['farmland', 'farmyard', 'greenfield', 'greenhouse_horticulture'].map((kind): [string, string] => [
    kind,
    field,
  ]),
  ...['residential', 'garages'].map((kind): [string, string] => [kind, built]),
  ...[
    'industrial',
    'commercial',
    'retail',
    'railway',
    'landfill',
    'brownfield',
    'construction',
    'quarry',
  ].map((kind): [string, string] => [kind, works]),
  ...['sand', 'beach', 'bare_rock', 'scree', 'shingle'].map((kind): [string, string] => [kind, sand]),
  ...['school', 'university', 'college', 'hospital', 'sports_center', 'aerodrome', 'military'].map(
    (kind): [string, string] => [kind, '#ebe4d6'],
  ),
  ['parking', '#e8e8ec'],
]);

export interface RoadLook {
  readonly kinds: readonly string[];
  readonly colour: string;
  readonly casing: string | undefined;
  /** At zooms 8, 12, 14 and 16. */
  readonly widths: readonly [number, number, number, number];
}

/** From the bottom up. */
export const roadLooks: readonly RoadLook[] = [
  {
    kinds: ['footway', 'path', 'steps', 'cycleway', 'bridleway', 'track'],
    colour: '#c9b9a2',
    casing: undefined,
    widths: [0, 0.4, 0.6, 1.2],
  },
  {
    kinds: ['service', 'busway', 'taxiway'],
    colour: '#ffffff',
    casing: '#cfcac0',
    widths: [0, 0.6, 1.2, 3.2],
  },
  { kinds: ['pedestrian'], colour: '#f0edf3', casing: '#cfc8d4', widths: [0, 0.8, 2, 5] },
  {
    kinds: ['residential', 'unclassified', 'living_street', 'road'],
    colour: '#ffffff',
    casing: '#cdc8bd',
    widths: [0, 0.9, 2.4, 6],
  },
  { kinds: ['tertiary'], colour: '#ffffff', casing: '#bdb6a8', widths: [0.5, 1.6, 3.6, 7.5] },
  { kinds: ['secondary'], colour: '#fcf1bd', casing: '#cbb978', widths: [0.7, 2, 4.4, 8.5] },
  { kinds: ['primary'], colour: '#fbdf95', casing: '#cda653', widths: [0.9, 2.4, 5, 9] },
  { kinds: ['trunk', 'runway'], colour: '#f8c37a', casing: '#c98d43', widths: [1.1, 2.8, 5.4, 9.5] },
  { kinds: ['motorway'], colour: '#f0a55c', casing: '#bf7230', widths: [1.4, 3.2, 6, 10] },
];

const stops = [8, 12, 14, 16] as const;

export function widthAt(widths: RoadLook['widths'], zoom: number): number {
  if (zoom <= stops[0]) return Math.max(0.3, widths[0]) * (zoom < 6 ? 0.6 : 1);
  for (let i = 1; i < stops.length; i++) {
    if (zoom > stops[i]!) continue;
    const share = (zoom - stops[i - 1]!) / (stops[i]! - stops[i - 1]!);
    return widths[i - 1]! + share * (widths[i]! - widths[i - 1]!);
  }
  return widths[3];
}

export interface LabelLook {
  readonly size: number;
  readonly bold: boolean;
  readonly colour: string;
}

/** Names of places by kind. */
export const placeLooks: ReadonlyMap<string, LabelLook> = new Map([
  ['country', { size: 12, bold: false, colour: '#6b5b78' }],
  ['capital', { size: 14, bold: true, colour: '#26292f' }],
  ['city', { size: 13, bold: true, colour: '#26292f' }],
  ['town', { size: 12, bold: true, colour: '#33373f' }],
  ['village', { size: 11, bold: false, colour: '#3d424c' }],
  ['suburb', { size: 11, bold: false, colour: '#5d6370' }],
  ['island', { size: 11, bold: false, colour: '#5d6370' }],
  ['quarter', { size: 10, bold: false, colour: '#6a707c' }],
  ['hamlet', { size: 10, bold: false, colour: '#5d6370' }],
  ['neighbourhood', { size: 10, bold: false, colour: '#7a808b' }],
  ['locality', { size: 10, bold: false, colour: '#7a808b' }],
]);
export const streetLabel: LabelLook = { size: 9.5, bold: false, colour: '#4a4740' };
export const stopLabel: LabelLook = { size: 9.5, bold: false, colour: '#2f5f93' };
export const poiLabel: LabelLook = { size: 9, bold: false, colour: '#7a5a3a' };
export const numberLabel: LabelLook = { size: 8.5, bold: false, colour: '#7d766a' };
export const waterLabel: LabelLook = { size: 10, bold: false, colour: '#3f719c' };
