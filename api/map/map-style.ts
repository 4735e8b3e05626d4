import {
  areaStyles,
  areas,
  dayColours as colours,
  dayRoads,
  type RoadClass,
  roadClasses,
  roadKinds,
} from '#schemas/map-style.js';

/** A muted day map of the prepared tiles for MapLibre. Labels use the fonts of the device. */
export const mapStyle = (baseUrl: string): object => ({
  version: 8,
  name: 'Meridian day',
  sources: { meridian: { type: 'vector', url: `${baseUrl}/v1/tiles.json` } },
  layers: [
    { id: 'background', type: 'background', paint: { 'background-color': colours.ground } },
    ...areas.map((area) =>
      fill(`area-${area}`, areaStyles[area].layer, colours[area], areaStyles[area].kinds),
    ),
    fill('ocean', 'ocean', colours.water),
    fill('water', 'water_polygons', colours.water),
    line('waterway', 'water_lines', colours.water, [0.6, 1.2, 3]),
    fill('squares', 'street_polygons', colours.square),
    fill('buildings', 'buildings', colours.building),
    line('ferries', 'ferries', colours.ferry, [0.6, 1, 1.6], { dash: [4, 3] }),
    ...roadClasses.flatMap((road) => {
      const { casing } = dayRoads[road];
      return casing === undefined ? [] : [roadLine(road, casing, true)];
    }),
    line('rails', 'streets', colours.rail, [0.5, 1, 2], { filter: ['==', ['get', 'rail'], true] }),
    ...roadClasses.map((road) => roadLine(road, dayRoads[road].colour, false)),
    line('borders', 'boundaries', colours.border, [0.8, 1.2, 2], {
      filter: ['!=', ['get', 'maritime'], true],
    }),
    ...labels,
  ],
});

type Widths = readonly [zoom8: number, zoom13: number, zoom17: number];
/** From the bottom up. */
const widths: Readonly<Record<RoadClass, Widths>> = {
  path: [0, 0.5, 2],
  service: [0, 1, 7],
  pedestrian: [0, 1, 7],
  street: [0.3, 1.5, 13],
  tertiary: [0.6, 2.4, 16],
  secondary: [0.8, 3, 18],
  primary: [1, 3.6, 20],
  trunk: [1.3, 4, 22],
  motorway: [1.6, 4.6, 24],
};

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

const roadLine = (road: RoadClass, colour: string, below: boolean): object =>
  line(below ? `${road}-casing` : road, 'streets', colour, widths[road], {
    filter: oneOfKinds(roadKinds[road]),
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
    paint: { 'text-color': colours.label, 'text-halo-color': colours.halo, 'text-halo-width': 1.5 },
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
