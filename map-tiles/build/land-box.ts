import type { TaggedWay } from '#osm/elements/map-elements.js';
import { type Box, boxOf } from '#osm/polygons/ring-geometry.js';
import { type LayerName, layerIndex, layerNames } from '../format/layers.js';
import { margin } from './geometry/cut-vector-tiles.js';
import type { FeatureRows } from './rows/feature-rows.js';

/** Ferries, borders and far names lead out of an extract. */
const leadingOut: readonly LayerName[] = ['ferries', 'boundaries', 'place_labels'];

/** The bounding box of features on land and of coasts, in 1e-7 degrees. */
export function landBox(rows: FeatureRows, coasts: readonly TaggedWay[]): Box {
  let [west, south, east, north] = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ];
  const widen = (box: ArrayLike<number>, at: number): void => {
    if (box[at]! < west) west = box[at]!;
    if (box[at + 1]! < south) south = box[at + 1]!;
    if (box[at + 2]! > east) east = box[at + 2]!;
    if (box[at + 3]! > north) north = box[at + 3]!;
  };
  for (const { lngLatE7 } of coasts) widen(boxOf(lngLatE7), 0);
  const isLeadingOut = new Uint8Array(layerNames.length);
  for (const name of leadingOut) isLeadingOut[layerIndex.get(name)!] = 1;
  const { box, layer, length } = rows;
  for (let row = 0; row < length; row++) if (isLeadingOut[layer[row]!] === 0) widen(box, 4 * row);
  if (west > east) for (let row = 0; row < length; row++) widen(box, 4 * row);
  return west > east ? [0, 0, 0, 0] : [west, south, east, north];
}

/**
 * Degrees from the date line within which features are visible beyond it: the margin of the tile of zoom 0.
 */
const dateLineRoom = 360 * margin;

/**
 * Whether features are visible on both sides of the date line, so that a feature may be in one tile more than
 * once.
 */
export function meetsItself({ box, length }: FeatureRows): boolean {
  const limit = (180 - dateLineRoom) * 1e7;
  for (let row = 0; row < length; row++) if (box[4 * row]! < -limit || box[4 * row + 2]! > limit) return true;
  return false;
}
