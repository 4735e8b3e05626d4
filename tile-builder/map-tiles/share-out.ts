import type { LayerName } from './layers.js';
import type { MapFeature, Shape } from './map-feature.js';
import { type Box, boxOf } from './ring-geometry.js';
import { latMax, xOf, yOf } from './web-mercator.js';

export interface Square<Feature extends MapFeature> {
  readonly x: number;
  readonly y: number;
  readonly features: readonly Feature[];
}

/** Share of a tile beyond its edge that is drawn too; see the buffer of the cutter, rounded up. */
export const margin = 1 / 32;

/** The features that may touch each tile of a zoom, tile by tile in ascending order; each tile's features keep theirs. */
export function byRoot<Feature extends MapFeature>(
  features: readonly Feature[],
  z: number,
): Square<Feature>[] {
  const side = 2 ** z;
  const squares = new Map<number, Feature[]>();
  const within = (value: number): number => Math.min(side - 1, Math.max(0, Math.floor(value)));
  for (const feature of features) {
    const [west, south, east, north] = shapeBox(feature.shape);
    const lastX = within(xOf(east / 1e7, z) + margin);
    const lastY = within(yOf(clamped(south / 1e7), z) + margin);
    const firstY = within(yOf(clamped(north / 1e7), z) - margin);
    for (let x = within(xOf(west / 1e7, z) - margin); x <= lastX; x++)
      for (let y = firstY; y <= lastY; y++) {
        const there = squares.get(x * side + y);
        if (there === undefined) squares.set(x * side + y, [feature]);
        else there.push(feature);
      }
  }
  return [...squares]
    .toSorted(([a], [b]) => a - b)
    .map(([key, ofSquare]) => ({ x: Math.floor(key / side), y: key % side, features: ofSquare }));
}

const clamped = (lat: number): number => Math.min(latMax, Math.max(-latMax, lat));

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

/** Ferries, borders and far names lead out of an extract. */
const beyond: ReadonlySet<LayerName> = new Set(['ferries', 'boundaries', 'place_labels']);

/** What the features on land and the coasts cover, in 1e-7 degrees. */
export function landBounds(features: readonly MapFeature[], coasts: readonly Int32Array[]): Box {
  const onLand = features.filter(({ drawing }) => !beyond.has(drawing.layer));
  const boxes = [
    ...(onLand.length > 0 ? onLand : features).map(({ shape }) => shapeBox(shape)),
    ...coasts.map(boxOf),
  ];
  return boxes.length === 0 ? [0, 0, 0, 0] : unionOf(boxes);
}
