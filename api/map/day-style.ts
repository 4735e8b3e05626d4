import { dayColours as colours, dayRoads, type RoadClass } from '#schemas/map-style.js';
import { roadsLayer } from '../road-tiles/road-tiles.js';

interface RoadStyle {
  readonly road: RoadClass;
  /** The `highway` tags that are drawn so. */
  readonly highways: readonly string[];
  /** Pixels at zoom 10 and 18. */
  readonly width: readonly [number, number];
}

/** From the bottom up. */
const roads: readonly RoadStyle[] = [
  {
    road: 'path',
    highways: ['path', 'footway', 'steps', 'pedestrian', 'cycleway', 'track', 'bridleway'],
    width: [0.3, 3],
  },
  { road: 'service', highways: ['service'], width: [0.4, 8] },
  {
    road: 'street',
    highways: ['residential', 'living_street', 'unclassified', 'road'],
    width: [0.6, 14],
  },
  { road: 'tertiary', highways: ['tertiary', 'tertiary_link'], width: [1, 18] },
  { road: 'secondary', highways: ['secondary', 'secondary_link'], width: [1.4, 20] },
  { road: 'primary', highways: ['primary', 'primary_link'], width: [1.8, 22] },
  { road: 'trunk', highways: ['trunk', 'trunk_link'], width: [2.2, 24] },
  { road: 'motorway', highways: ['motorway', 'motorway_link'], width: [2.6, 26] },
];

const width = ([narrow, wide]: readonly [number, number], extraPixels: number): unknown => [
  'interpolate',
  ['exponential', 1.5],
  ['zoom'],
  10,
  narrow + extraPixels / 2,
  18,
  wide + extraPixels,
];

const line = (style: RoadStyle, id: string, colour: string, extraPixels: number): object => ({
  id,
  type: 'line',
  source: 'meridian',
  'source-layer': roadsLayer,
  filter: ['in', ['get', 'class'], ['literal', style.highways]],
  layout: { 'line-cap': 'round', 'line-join': 'round' },
  paint: { 'line-color': colour, 'line-width': width(style.width, extraPixels) },
});

/** A muted day map without labels, because fonts would have to be loaded from other hosts. */
export function dayStyle(baseUrl: string): object {
  return {
    version: 8,
    name: 'Meridian day',
    sources: { meridian: { type: 'vector', url: `${baseUrl}/v1/tiles.json` } },
    layers: [
      { id: 'background', type: 'background', paint: { 'background-color': colours.ground } },
      {
        id: 'ferry',
        type: 'line',
        source: 'meridian',
        'source-layer': roadsLayer,
        filter: ['==', ['get', 'class'], 'ferry'],
        paint: { 'line-color': colours.ferry, 'line-width': 1.5, 'line-dasharray': [4, 3] },
      },
      ...roads.flatMap((style) => {
        const { casing } = dayRoads[style.road];
        return casing === undefined ? [] : [line(style, `${style.road}-casing`, casing, 2)];
      }),
      ...roads.map((style) => line(style, style.road, dayRoads[style.road].colour, 0)),
    ],
  };
}
