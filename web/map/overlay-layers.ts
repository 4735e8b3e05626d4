import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import type { Palette } from './palette.js';
import { widthByZoom } from './road-layers.js';

/** Layers above the roads; each has its own GeoJSON source. */
export const overlaySources = [
  'reach',
  'alternatives',
  'former',
  'route',
  'traffic',
  'incidents',
  'picked',
] as const;
export type OverlaySource = (typeof overlaySources)[number];

const round = { 'line-cap': 'round', 'line-join': 'round' } as const;

function line(
  id: string,
  source: OverlaySource,
  color: string | ExpressionSpecification,
  widths: readonly number[],
): LayerSpecification & { type: 'line' } {
  return {
    id,
    type: 'line',
    source,
    layout: round,
    paint: { 'line-color': color, 'line-width': widthByZoom(widths) },
  };
}

/** The areas lie over each other, so the nearest is the darkest. */
function reachLayers(palette: Palette): LayerSpecification[] {
  return [
    {
      id: 'reach',
      type: 'fill',
      source: 'reach',
      paint: { 'fill-color': palette.route, 'fill-opacity': 0.16 },
    },
    { ...line('reach-edge', 'reach', palette.route, [1.2, 1.6, 2, 3]) },
  ];
}

/** The route that was left for a better one. */
function former(palette: Palette): LayerSpecification {
  const layer = line('former', 'former', palette.driver, [2, 3.4, 6, 14]);
  return {
    ...layer,
    layout: { 'line-cap': 'butt', 'line-join': 'round' },
    paint: { ...layer.paint, 'line-dasharray': [1.2, 1], 'line-opacity': 0.75 },
  };
}

function routeLayers(palette: Palette): LayerSpecification[] {
  return [
    line('alternatives', 'alternatives', palette.alternative, [3, 4.5, 8, 20]),
    former(palette),
    line('route-casing', 'route', palette.routeCasing, [5, 7.5, 13, 32]),
    line('route', 'route', palette.route, [3.4, 5.4, 10, 27]),
  ];
}

function trafficLayers(palette: Palette): LayerSpecification[] {
  const colour: ExpressionSpecification = [
    'match',
    ['get', 'congestion'],
    'low',
    palette.low,
    'moderate',
    palette.moderate,
    'heavy',
    palette.heavy,
    'severe',
    palette.severe,
    palette.closed,
  ];
  const flowing = line('traffic', 'traffic', colour, [1.6, 2.6, 4.2, 9]);
  return [
    {
      ...flowing,
      filter: ['!', ['get', 'closed']],
      // Each direction is a separate edge, drawn beside the middle so that they do not hide each other.
      paint: { ...flowing.paint, 'line-offset': widthByZoom([0.4, 1, 2.4, 6]), 'line-opacity': 0.92 },
    },
    { ...line('traffic-closed', 'traffic', palette.closed, [2, 3.4, 7, 16]), filter: ['get', 'closed'] },
  ];
}

function incidentLayers(palette: Palette): LayerSpecification[] {
  const colour: ExpressionSpecification = [
    'match',
    ['get', 'kind'],
    ['closed', 'blocked'],
    palette.closed,
    palette.heavy,
  ];
  const hatch = line('incident-hatch', 'incidents', palette.hatch, [1.4, 2.4, 5, 12]);
  return [
    line('incident', 'incidents', colour, [3.4, 5, 10, 22]),
    {
      ...hatch,
      filter: ['!=', ['get', 'kind'], 'slow'],
      layout: { 'line-cap': 'butt', 'line-join': 'round' },
      paint: { ...hatch.paint, 'line-dasharray': [0.5, 1] },
    },
    line('picked', 'picked', palette.picked, [4, 6, 12, 26]),
  ];
}

export function overlayLayers(palette: Palette): LayerSpecification[] {
  return [
    ...reachLayers(palette),
    ...routeLayers(palette),
    ...trafficLayers(palette),
    ...incidentLayers(palette),
  ];
}
