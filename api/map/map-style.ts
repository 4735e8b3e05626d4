/** A quiet day map of the prepared tiles, as MapLibre draws it. Names are drawn with the fonts of the device. */
export const mapStyle = (baseUrl: string): object => ({
  version: 8,
  name: 'Meridian day',
  sources: { meridian: { type: 'vector', url: `${baseUrl}/v1/tiles.json` } },
  layers: [
    { id: 'background', type: 'background', paint: { 'background-color': '#f3f1ec' } },
    ...ground.map(([id, layer, kinds, colour]) => fill(id, layer, colour, kinds)),
    fill('ocean', 'ocean', water),
    fill('water', 'water_polygons', water),
    line('waterway', 'water_lines', water, [0.6, 1.2, 3]),
    fill('squares', 'street_polygons', '#e9e6df'),
    fill('buildings', 'buildings', '#dcd5cb'),
    line('ferries', 'ferries', '#6f9dc4', [0.6, 1, 1.6], { dash: [4, 3] }),
    ...roads.filter(({ casing }) => casing !== undefined).map((road) => roadLine(road, true)),
    line('rails', 'streets', '#8d8d92', [0.5, 1, 2], { filter: ['==', ['get', 'rail'], true] }),
    ...roads.map((road) => roadLine(road, false)),
    line('borders', 'boundaries', '#8a7a94', [0.8, 1.2, 2], { filter: ['!=', ['get', 'maritime'], true] }),
    ...labels,
  ],
});

type Widths = readonly [zoom8: number, zoom13: number, zoom17: number];
const water = '#a8cbe0';

const ground: readonly (readonly [id: string, layer: string, kinds: readonly string[], colour: string])[] = [
  ['built', 'land', ['residential', 'industrial', 'commercial', 'retail', 'railway', 'garages'], '#e9e6e1'],
  ['farmland', 'land', ['farmland', 'farmyard', 'greenfield'], '#eceddb'],
  ['sand', 'land', ['sand', 'beach', 'bare_rock', 'scree', 'shingle'], '#f2e8c6'],
  ['wood', 'land', ['forest', 'scrub', 'heath'], '#bcd6ac'],
  [
    'green',
    'land',
    [
      'park',
      'garden',
      'grass',
      'meadow',
      'cemetery',
      'golf_course',
      'pitch',
      'playground',
      'grassland',
      'allotments',
    ],
    '#d3e6bf',
  ],
  [
    'sites',
    'sites',
    ['school', 'university', 'college', 'hospital', 'sports_center', 'aerodrome'],
    '#ebe4d6',
  ],
];

interface Road {
  readonly id: string;
  readonly kinds: readonly string[];
  readonly colour: string;
  readonly casing?: string;
  readonly widths: Widths;
}

/** From the bottom up. */
const roads: readonly Road[] = [
  {
    id: 'path',
    kinds: ['footway', 'path', 'steps', 'cycleway', 'bridleway', 'track'],
    colour: '#c9b9a2',
    widths: [0, 0.5, 2],
  },
  {
    id: 'service',
    kinds: ['service', 'busway', 'pedestrian'],
    colour: '#ffffff',
    casing: '#cfcac0',
    widths: [0, 1, 7],
  },
  {
    id: 'street',
    kinds: ['residential', 'unclassified', 'living_street', 'road'],
    colour: '#ffffff',
    casing: '#cdc8bd',
    widths: [0.3, 1.5, 13],
  },
  { id: 'tertiary', kinds: ['tertiary'], colour: '#ffffff', casing: '#bdb6a8', widths: [0.6, 2.4, 16] },
  { id: 'secondary', kinds: ['secondary'], colour: '#fcf1bd', casing: '#cbb978', widths: [0.8, 3, 18] },
  { id: 'primary', kinds: ['primary'], colour: '#fbdf95', casing: '#cda653', widths: [1, 3.6, 20] },
  { id: 'trunk', kinds: ['trunk'], colour: '#f8c37a', casing: '#c98d43', widths: [1.3, 4, 22] },
  { id: 'motorway', kinds: ['motorway'], colour: '#f0a55c', casing: '#bf7230', widths: [1.6, 4.6, 24] },
];

const width = ([zoom8, zoom13, zoom17]: Widths, plus = 0): unknown => [
  'interpolate',
  ['exponential', 1.4],
  ['zoom'],
  8,
  zoom8 + plus,
  13,
  zoom13 + plus,
  17,
  zoom17 + plus,
];

const oneOfKinds = (kinds: readonly string[]): unknown => ['in', ['get', 'kind'], ['literal', kinds]];

const fill = (id: string, layer: string, colour: string, kinds?: readonly string[]): object => ({
  id,
  type: 'fill',
  source: 'meridian',
  'source-layer': layer,
  ...(kinds === undefined ? {} : { filter: oneOfKinds(kinds) }),
  paint: { 'fill-color': colour },
});

function line(
  id: string,
  layer: string,
  colour: string,
  widths: Widths,
  { filter, dash, plus = 0 }: { filter?: unknown; dash?: readonly number[]; plus?: number } = {},
): object {
  return {
    id,
    type: 'line',
    source: 'meridian',
    'source-layer': layer,
    ...(filter === undefined ? {} : { filter }),
    layout: { 'line-join': 'round', 'line-cap': dash === undefined ? 'round' : 'butt' },
    paint: {
      'line-color': colour,
      'line-width': width(widths, plus),
      ...(dash === undefined ? {} : { 'line-dasharray': dash }),
    },
  };
}

const roadLine = ({ id, kinds, colour, casing, widths }: Road, below: boolean): object =>
  line(below ? `${id}-casing` : id, 'streets', below ? (casing ?? colour) : colour, widths, {
    filter: oneOfKinds(kinds),
    plus: below ? 1.4 : 0,
  });

function label(
  id: string,
  layer: string,
  size: number,
  more: { minzoom?: number; along?: true; filter?: unknown } = {},
): object {
  return {
    id,
    type: 'symbol',
    source: 'meridian',
    'source-layer': layer,
    ...(more.minzoom === undefined ? {} : { minzoom: more.minzoom }),
    ...(more.filter === undefined ? {} : { filter: more.filter }),
    layout: {
      'text-field': ['get', layer === 'addresses' ? 'housenumber' : 'name'],
      'text-font': ['Inter', 'system-ui'],
      'text-size': size,
      ...(more.along === true ? { 'symbol-placement': 'line', 'symbol-spacing': 320 } : {}),
    },
    paint: { 'text-color': '#3a3f47', 'text-halo-color': '#ffffff', 'text-halo-width': 1.5 },
  };
}

const towns = ['country', 'capital', 'city', 'town'];
const labels: readonly object[] = [
  label('numbers', 'addresses', 10, { minzoom: 16.5 }),
  label('stops', 'public_transport', 11, { minzoom: 14 }),
  label('waters', 'water_polygons', 11, { minzoom: 13 }),
  label('streets-names', 'streets', 11, { minzoom: 13.5, along: true }),
  label('places', 'place_labels', 11.5, { filter: ['!', oneOfKinds(towns)] }),
  label('towns', 'place_labels', 14, { filter: oneOfKinds(towns) }),
];
