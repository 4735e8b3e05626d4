import { roadsLayer } from '../road-tiles/road-tiles.js';

interface RoadLook {
  readonly id: string;
  readonly classes: readonly string[];
  readonly colour: string;
  /** Pixels at zoom 10 and 18. */
  readonly width: readonly [number, number];
}

/** From the bottom up. */
const looks: readonly RoadLook[] = [
  {
    id: 'path',
    classes: ['path', 'footway', 'steps', 'pedestrian', 'cycleway', 'track', 'bridleway'],
    colour: '#d9cfc1',
    width: [0.3, 3],
  },
  { id: 'service', classes: ['service'], colour: '#ffffff', width: [0.4, 8] },
  {
    id: 'street',
    classes: ['residential', 'living_street', 'unclassified', 'road'],
    colour: '#ffffff',
    width: [0.6, 14],
  },
  { id: 'tertiary', classes: ['tertiary', 'tertiary_link'], colour: '#ffffff', width: [1, 18] },
  { id: 'secondary', classes: ['secondary', 'secondary_link'], colour: '#fdf1c0', width: [1.4, 20] },
  { id: 'primary', classes: ['primary', 'primary_link'], colour: '#fbe29a', width: [1.8, 22] },
  { id: 'trunk', classes: ['trunk', 'trunk_link'], colour: '#f7c676', width: [2.2, 24] },
  { id: 'motorway', classes: ['motorway', 'motorway_link'], colour: '#f0a95b', width: [2.6, 26] },
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

const line = (look: RoadLook, id: string, colour: string, extraPixels: number): object => ({
  id,
  type: 'line',
  source: 'meridian',
  'source-layer': roadsLayer,
  filter: ['in', ['get', 'class'], ['literal', look.classes]],
  layout: { 'line-cap': 'round', 'line-join': 'round' },
  paint: { 'line-color': colour, 'line-width': width(look.width, extraPixels) },
});

/** A quiet day map. It has no labels: fonts would have to come from outside, and nothing does. */
export function dayStyle(baseUrl: string): object {
  return {
    version: 8,
    name: 'Meridian day',
    sources: { meridian: { type: 'vector', url: `${baseUrl}/v1/tiles.json` } },
    layers: [
      { id: 'background', type: 'background', paint: { 'background-color': '#eef0ec' } },
      {
        id: 'ferry',
        type: 'line',
        source: 'meridian',
        'source-layer': roadsLayer,
        filter: ['==', ['get', 'class'], 'ferry'],
        paint: { 'line-color': '#8fb3d9', 'line-width': 1.5, 'line-dasharray': [4, 3] },
      },
      ...looks.map((look) => line(look, `${look.id}-casing`, '#c9c3b6', 2)),
      ...looks.map((look) => line(look, look.id, look.colour, 0)),
    ],
  };
}
