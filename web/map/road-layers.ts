import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import { mapFonts } from './fonts.js';
import type { Palette } from './palette.js';

/**
 * Road classes with the same style, from the least to the most important; the widths are pixels at zoom 10,
 * 13, 16, 19.
 */
const groups = [
  {
    name: 'minor',
    classes: [
      'service',
      'living_street',
      'pedestrian',
      'track',
      'path',
      'footway',
      'cycleway',
      'steps',
      'ferry',
    ],
    widths: [0, 0.5, 3.5, 12],
    minzoom: 12.5,
  },
  { name: 'street', classes: [], widths: [0.4, 1.1, 6.5, 20], minzoom: 11 },
  { name: 'tertiary', classes: ['tertiary', 'tertiary_link'], widths: [0.6, 2, 8, 24], minzoom: 9 },
  { name: 'secondary', classes: ['secondary', 'secondary_link'], widths: [0.8, 2.8, 10, 28], minzoom: 8 },
  { name: 'primary', classes: ['primary', 'primary_link'], widths: [1.1, 3.4, 11, 32], minzoom: 6 },
  {
    name: 'motorway',
    classes: ['motorway', 'motorway_link', 'trunk', 'trunk_link'],
    widths: [1.4, 4, 13, 36],
    minzoom: 4,
  },
] as const;

type Group = (typeof groups)[number];

const named: string[] = groups.flatMap((group) => [...group.classes]);

/** The source of roads: a prepared map with other layers, or tiles of roads only. */
export type RoadSource = 'streets' | 'roads';

/** The attribute with the class; a prepared map marks slip roads in another attribute. */
const classKey = { streets: 'kind', roads: 'class' } as const;

const classIn = (from: RoadSource, classes: readonly string[]): ExpressionSpecification => [
  'in',
  ['get', classKey[from]],
  ['literal', [...classes]],
];

function only(group: Group, from: RoadSource): ExpressionSpecification {
  if (group.classes.length > 0) return classIn(from, group.classes);
  // A class in no group is drawn as an ordinary street; a railway is not a street.
  return ['all', ['!', classIn(from, named)], ['!', ['has', 'rail']]];
}

export function widthByZoom(widths: readonly number[], plus = 0): ExpressionSpecification {
  const [w10, w13, w16, w19] = widths.map((width) => width + plus) as [number, number, number, number];
  return ['interpolate', ['exponential', 1.4], ['zoom'], 10, w10, 13, w13, 16, w16, 19, w19];
}

/** The layers whose features are roads to hover or to pick. */
export const roadLayerIds: string[] = groups.map((group) => `road-${group.name}`);

function fillOf(group: Group, palette: Palette): string {
  if (group.name === 'motorway') return palette.motorway;
  if (group.name === 'minor') return palette.minor;
  return group.name === 'street' ? palette.street : palette.major;
}

function strokes(palette: Palette, suffix: 'casing' | 'fill', from: RoadSource) {
  return groups.map((group): LayerSpecification => {
    const isCasing = suffix === 'casing';
    const isMajor = group.name !== 'minor' && group.name !== 'street';
    const casing = isMajor ? palette.casingMajor : palette.casing;
    return {
      id: isCasing ? `road-${group.name}-casing` : `road-${group.name}`,
      type: 'line',
      ...sourceOf(from),
      minzoom: group.minzoom,
      filter: only(group, from),
      layout: { 'line-cap': isCasing ? 'butt' : 'round', 'line-join': 'round' },
      paint: {
        'line-color': isCasing ? casing : fillOf(group, palette),
        'line-width': widthByZoom(group.widths, isCasing ? 1.4 : 0),
      },
    };
  });
}

const sourceOf = (from: RoadSource) => ({ source: 'base', 'source-layer': from }) as const;

export function roadLayers(palette: Palette, from: RoadSource): LayerSpecification[] {
  return [...strokes(palette, 'casing', from), ...strokes(palette, 'fill', from)];
}

/** Names are drawn with the fonts of this device, so no glyph is ever fetched. */
export function roadNameLayers(palette: Palette, from: RoadSource): LayerSpecification[] {
  const label = (id: string, filter: ExpressionSpecification, minzoom: number): LayerSpecification => ({
    id,
    type: 'symbol',
    ...sourceOf(from),
    minzoom,
    filter,
    layout: {
      'symbol-placement': 'line',
      'symbol-spacing': 320,
      'text-field': ['get', 'name'],
      'text-font': mapFonts,
      'text-size': ['interpolate', ['linear'], ['zoom'], 13, 11, 17, 14],
      'text-max-angle': 32,
      'text-padding': 6,
    },
    paint: { 'text-color': palette.label, 'text-halo-color': palette.halo, 'text-halo-width': 1.6 },
  });
  const majors = groups.slice(2).flatMap((group) => [...group.classes]);
  return [
    label('name-street', ['!', classIn(from, majors)], 14.5),
    label('name-major', classIn(from, majors), 12.8),
  ];
}
