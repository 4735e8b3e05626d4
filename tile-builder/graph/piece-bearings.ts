import type { Scratch } from '#map-data/arrays/scratch.js';
import { bearingDeg, distanceM } from '#routing-engine/network/earth.js';
import type { RoadPieces } from './road-pieces.js';

/** Direction of each piece at both ends, along its drawn direction, in 256ths of a turn. */
export interface PieceBearings {
  readonly atStart: Uint8Array;
  readonly atEnd: Uint8Array;
}

/**
 * Metres from a crossing at which the direction of a road is taken; nearer, the drawing of the crossing
 * itself shows.
 */
const BEARING_REACH_M = 15;

/** With `known`, the bearings of the previous build, those of unchanged pieces (`was`) are copied from it. */
export function pieceBearings(
  pieces: RoadPieces,
  kept: Scratch,
  was?: Int32Array,
  known?: PieceBearings,
): PieceBearings {
  const count = pieces.from.length;
  const atStart = kept.uint8('bearings atStart', count);
  const atEnd = kept.uint8('bearings atEnd', count);
  for (let piece = 0; piece < count; piece++) {
    if (known !== undefined && was !== undefined && was[piece] >= 0) {
      atStart[piece] = known.atStart[was[piece]];
      atEnd[piece] = known.atEnd[was[piece]];
      continue;
    }
    atStart[piece] = byteOf(reach(pieces, piece, false));
    atEnd[piece] = opposite(byteOf(reach(pieces, piece, true)));
  }
  return { atStart, atEnd };
}

export const bearingOutOf = ({ atStart, atEnd }: PieceBearings, piece: number, against: number): number =>
  against === 1 ? opposite(atEnd[piece]) : atStart[piece];
export const bearingInOf = ({ atStart, atEnd }: PieceBearings, piece: number, against: number): number =>
  against === 1 ? opposite(atStart[piece]) : atEnd[piece];

export const opposite = (bearing: number): number => (bearing + 128) & 255;
const byteOf = (degrees: number): number => Math.round((degrees * 256) / 360) & 255;

/** Compass degrees from one end of a piece to the point some metres along it. */
function reach(
  { from, to, nodeLngE7, nodeLatE7, firstShape, shapeLngE7, shapeLatE7 }: RoadPieces,
  piece: number,
  fromEnd: boolean,
) {
  const start = fromEnd ? to[piece] : from[piece];
  const end = fromEnd ? from[piece] : to[piece];
  const lng = nodeLngE7[start] / 1e7;
  const lat = nodeLatE7[start] / 1e7;
  const inner = firstShape[piece + 1] - firstShape[piece];
  let lastLng = lng;
  let lastLat = lat;
  let run = 0;
  for (let i = 0; i <= inner; i++) {
    const shape = fromEnd ? firstShape[piece + 1] - 1 - i : firstShape[piece] + i;
    const toLng = (i === inner ? nodeLngE7[end] : shapeLngE7[shape]) / 1e7;
    const toLat = (i === inner ? nodeLatE7[end] : shapeLatE7[shape]) / 1e7;
    const meters = distanceM(lastLng, lastLat, toLng, toLat);
    if (run + meters >= BEARING_REACH_M || i === inner) {
      const share = meters === 0 ? 1 : Math.min(1, (BEARING_REACH_M - run) / meters);
      return bearingDeg(lng, lat, lastLng + (toLng - lastLng) * share, lastLat + (toLat - lastLat) * share);
    }
    run += meters;
    lastLng = toLng;
    lastLat = toLat;
  }
  return 0;
}
