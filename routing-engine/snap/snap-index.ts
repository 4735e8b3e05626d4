import { edgeFlag } from '../network/edge-flags.js';
import type { NetworkArrays } from '../network/network-arrays.js';
import { perNetwork } from '../network/per-network.js';
import type { RoadNetwork } from '../network/road-network.js';

/** Segments that one box covers: long roads get several small boxes instead of one large one. */
const SEGMENTS_PER_RUN = 8;
/** Boxes under one box of the level above. */
const FAN_OUT = 16;
/** Runs of a cell at most, so that a place on the curve and a number fit a double. */
const RUNS_MAX = 2 ** 20;

/**
 * Rows of a cell with pieces of this many points between their ends: a row for each run and one for every
 * sixteen points.
 */
export function snapRowCount(innerPoints: Iterable<number>): number {
  let runs = 0;
  for (const inner of innerPoints) runs += Math.ceil((inner + 1) / SEGMENTS_PER_RUN);
  return runs + Math.ceil(runs / FAN_OUT);
}

/**
 * Fills a cell's rows of the snap index with the boxes of its pieces. Throws a RangeError when it has other
 * rows than that takes.
 *
 * ```text
 *   rows of a cell:  | box of runs 0…15 | box of runs 16…31 | … | run 0 | run 1 | …
 * ```
 * The runs follow a Z-order curve.
 */
export function fillSnapRows(
  arrays: NetworkArrays,
  firstPiece: number,
  endPiece: number,
  cell: number,
): void {
  const { firstShape, snapBoxes, snapPiece, cellFirstSnap, cellBounds } = arrays;
  const runs: number[] = [];
  for (let piece = firstPiece; piece < endPiece; piece++) {
    const inner = firstShape[piece + 1] - firstShape[piece];
    for (let segment = 0; segment <= inner; segment += SEGMENTS_PER_RUN) runs.push(piece, segment);
  }
  const count = runs.length / 2;
  const groups = Math.ceil(count / FAN_OUT);
  const start = cellFirstSnap[cell];
  if (start + groups + count !== cellFirstSnap[cell + 1] || count > RUNS_MAX)
    throw new RangeError('the shapes of the cell are other than the manifest says');

  const boxes = new Int32Array(4 * count);
  const order = new Float64Array(count);
  const west = cellBounds[4 * cell];
  const south = cellBounds[4 * cell + 1];
  const scale = 65_535 / Math.max(1, cellBounds[4 * cell + 2] - west, cellBounds[4 * cell + 3] - south);
  for (let run = 0; run < count; run++) {
    boxOfRun(arrays, runs[2 * run], runs[2 * run + 1], boxes, 4 * run);
    const x = ((boxes[4 * run] + boxes[4 * run + 2]) / 2 - west) * scale;
    const y = ((boxes[4 * run + 1] + boxes[4 * run + 3]) / 2 - south) * scale;
    order[run] = (2 * spread(x) + spread(y)) * RUNS_MAX + run;
  }
  order.sort();
  snapBoxes.fill(0x7fffffff, 4 * start, 4 * (start + groups));
  for (let place = 0; place < count; place++) {
    const run = order[place] % RUNS_MAX;
    const row = start + groups + place;
    snapPiece[row] = runs[2 * run];
    for (let side = 0; side < 4; side++) snapBoxes[4 * row + side] = boxes[4 * run + side];
    const group = start + Math.floor(place / FAN_OUT);
    if (place % FAN_OUT === 0) snapBoxes.copyWithin(4 * group, 4 * row, 4 * row + 4);
    else widen(snapBoxes, 4 * group, snapBoxes, 4 * row);
  }
}

function boxOfRun(arrays: NetworkArrays, piece: number, segment: number, out: Int32Array, at: number): void {
  const { firstShape, shapeLngE7, shapeLatE7, pieceEdge, tail, head, flags, nodeLngE7, nodeLatE7 } = arrays;
  const edge = pieceEdge[piece];
  const along = (flags[edge] & edgeFlag.against) === 0;
  const start = along ? tail[edge] : head[edge];
  const end = along ? head[edge] : tail[edge];
  const inner = firstShape[piece + 1] - firstShape[piece];
  let minX = 0x7fffffff;
  let minY = 0x7fffffff;
  let maxX = -0x80000000;
  let maxY = -0x80000000;
  for (let point = segment; point <= Math.min(inner + 1, segment + SEGMENTS_PER_RUN); point++) {
    const shape = firstShape[piece] + point - 1;
    const x = point === 0 ? nodeLngE7[start] : point > inner ? nodeLngE7[end] : shapeLngE7[shape];
    const y = point === 0 ? nodeLatE7[start] : point > inner ? nodeLatE7[end] : shapeLatE7[shape];
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
  }
  out[at] = minX;
  out[at + 1] = minY;
  out[at + 2] = maxX;
  out[at + 3] = maxY;
}

/** Spreads sixteen bits over the even ones of thirty-two. */
function spread(value: number): number {
  let bits = Math.max(0, Math.min(65_535, value)) & 0xffff;
  bits = (bits | (bits << 8)) & 0x00ff00ff;
  bits = (bits | (bits << 4)) & 0x0f0f0f0f;
  bits = (bits | (bits << 2)) & 0x33333333;
  return (bits | (bits << 1)) & 0x55555555;
}

function widen(box: Int32Array, at: number, other: Int32Array, from: number): void {
  box[at] = Math.min(box[at], other[from]);
  box[at + 1] = Math.min(box[at + 1], other[from + 1]);
  box[at + 2] = Math.max(box[at + 2], other[from + 2]);
  box[at + 3] = Math.max(box[at + 3], other[from + 3]);
}

/** West, south, east, north, 1e-7 degrees. */
export type BoxE7 = readonly [number, number, number, number];

/** Boxes around sixteen cells each: cells that follow one another lie near each other. */
const groupsOf = perNetwork((network) => {
  const { cellBounds } = network.arrays;
  const groups = new Int32Array(4 * Math.ceil(network.cellCount / FAN_OUT));
  for (let cell = 0; cell < network.cellCount; cell++) {
    const group = 4 * Math.floor(cell / FAN_OUT);
    if (cell % FAN_OUT === 0) groups.set(cellBounds.subarray(4 * cell, 4 * cell + 4), group);
    else widen(groups, group, cellBounds, 4 * cell);
  }
  return groups;
});

/** Cells of level 0 that may have a road in the box. */
export function cellsIn(network: RoadNetwork, box: BoxE7): number[] {
  const { cellBounds } = network.arrays;
  const groups = groupsOf(network);
  const found: number[] = [];
  for (let group = 0; 4 * group < groups.length; group++) {
    if (!meets(groups, 4 * group, box)) continue;
    const end = Math.min(network.cellCount, FAN_OUT * (group + 1));
    for (let cell = FAN_OUT * group; cell < end; cell++)
      if (meets(cellBounds, 4 * cell, box)) found.push(cell);
  }
  return found;
}

/** Adds the pieces of a loaded cell that have a run in the box. */
export function piecesIn(
  { arrays }: RoadNetwork,
  cell: number,
  box: BoxE7,
  out: { add(piece: number): unknown },
): void {
  const { snapBoxes, snapPiece, cellFirstSnap } = arrays;
  const start = cellFirstSnap[cell];
  const end = cellFirstSnap[cell + 1];
  const firstRun = start + Math.ceil((end - start) / (FAN_OUT + 1));
  for (let group = start; group < firstRun; group++) {
    if (!meets(snapBoxes, 4 * group, box)) continue;
    const run = firstRun + FAN_OUT * (group - start);
    for (let row = run; row < Math.min(end, run + FAN_OUT); row++)
      if (meets(snapBoxes, 4 * row, box)) out.add(snapPiece[row]);
  }
}

const meets = (boxes: Int32Array, at: number, box: BoxE7): boolean =>
  boxes[at] <= box[2] && boxes[at + 1] <= box[3] && boxes[at + 2] >= box[0] && boxes[at + 3] >= box[1];
