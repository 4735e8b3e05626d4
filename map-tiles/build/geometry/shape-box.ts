import { type Box, boxOf } from '#osm/polygons/ring-geometry.js';
import type { Shape } from '../../format/map-feature.js';

/** West, south, east, north in 1e-7 degrees. */
export function shapeBox(shape: Shape): Box {
  switch (shape.type) {
    case 'point':
      return boxOf(shape.at);
    case 'line':
      return boxOf(shape.line);
    case 'area':
      return unionOf(shape.polygons.map((rings) => boxOf(rings[0]!)));
  }
}

const unionOf = (boxes: readonly Box[]): Box =>
  boxes.reduce((a, b) => [
    Math.min(a[0], b[0]),
    Math.min(a[1], b[1]),
    Math.max(a[2], b[2]),
    Math.max(a[3], b[3]),
  ]);
