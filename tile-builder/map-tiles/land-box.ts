import type { TaggedWay } from '../osm/map-elements.js';
import type { FeatureRows } from './feature-rows.js';
import { type LayerName, layerIndex } from './layers.js';
import { type Box, boxOf } from './ring-geometry.js';

/** Ferries, borders and far names lead out of an extract. */
const leadingOut: readonly LayerName[] = ['ferries', 'boundaries', 'place_labels'];
const beyond = new Set(leadingOut.map((name) => layerIndex.get(name)!));

/** What the features on land and the coasts cover, in 1e-7 degrees. */
export function landBox(rows: FeatureRows, coasts: readonly TaggedWay[]): Box {
  let [west, south, east, north] = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  const widen = (box: ArrayLike<number>, at: number): void => {
    west = Math.min(west, box[at]!);
    south = Math.min(south, box[at + 1]!);
    east = Math.max(east, box[at + 2]!);
    north = Math.max(north, box[at + 3]!);
  };
  for (const { lngLatE7 } of coasts) widen(boxOf(lngLatE7), 0);
  for (let row = 0; row < rows.length; row++) if (!beyond.has(rows.layer[row]!)) widen(rows.box, 4 * row);
  if (west > east) for (let row = 0; row < rows.length; row++) widen(rows.box, 4 * row);
  return west > east ? [0, 0, 0, 0] : [west, south, east, north];
}
