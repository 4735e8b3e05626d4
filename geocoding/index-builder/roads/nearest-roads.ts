import { metersPerDegree, metersPerLngDegree } from '#routing-engine/network/earth.js';
import { indexedModes } from '../../index/indexed-modes.js';
import { limits } from '../../index/limits.js';
import type { Road } from '../gazetteer/road.js';
import type { RoadGrid } from './road-grid.js';
import type { RoadGrids } from './road-grids.js';
import { squareAt } from './squares.js';

const reachM = 1_000;
/** A road of the address's own name is preferred as long as it is not this much farther than the nearest. */
const detourM = 80;
/** A place within this distance is on the road. */
const onRoadM = 0.5;

/** The access point of a place for a mode. */
export interface RoadPlace {
  readonly road: Road;
  /** Against the way's drawn direction. */
  readonly against: boolean;
  /** The place moved onto the road, 1e-7 degrees. */
  readonly lngE7: number;
  readonly latE7: number;
  /** Looking along the direction of travel: 0 on the road, 1 left, 2 right. */
  readonly side: number;
}

const modes = indexedModes.length;
const perLat = metersPerDegree / 1e7;

/**
 * The nearest roads by mode, then the nearest by mode among those with the name: square metres, layer and
 * segment. Of two at the same distance, the one with the smaller way id wins, and of one way the first
 * segment.
 */
const nearest = {
  square: new Float64Array(2 * modes),
  layer: new Int32Array(2 * modes),
  segment: new Int32Array(2 * modes),
};

/** The access points of a place for each mode. */
export interface Access {
  /**
   * In the order of `indexedModes`; undefined without a road within a kilometre. Modes with the same access
   * point share one object.
   */
  readonly places: readonly (RoadPlace | undefined)[];
  /** Searched rings of squares around the place, which determine the answer. -1: none. */
  readonly rings: number;
}

/**
 * The nearest road of each mode, or that of the address's own name. Squares are searched in rings around the
 * place until no nearer road is possible. `names`: numbers of the grid's names.
 */
export function nearestRoads(
  { layers }: RoadGrids,
  lngE7: number,
  latE7: number,
  names: readonly number[],
): Access {
  const perLng = metersPerLngDegree(latE7 / 1e7) / 1e7;
  nearest.square.fill(Number.POSITIVE_INFINITY);
  nearest.segment.fill(-1);
  const side = limits.roadSquareE7;
  const x = squareAt(lngE7);
  const y = squareAt(latE7);
  const rimLng = Math.min(lngE7 - x * side, (x + 1) * side - lngE7);
  const rimLat = Math.min(latE7 - y * side, (y + 1) * side - latE7);
  let ring = 0;
  for (; ; ring++) {
    for (let row = y - ring; row <= y + ring; row++) {
      const step = row === y - ring || row === y + ring ? 1 : 2 * ring;
      for (let column = x - ring; column <= x + ring; column += step) {
        for (let layer = 0; layer < layers.length; layer++) {
          const square = layers[layer].squares.find(column, row);
          if (square >= 0) lookAt(layers, layer, square, lngE7, latE7, perLng, names);
        }
      }
    }
    const seenM = Math.min((rimLng + ring * side) * perLng, (rimLat + ring * side) * perLat);
    if (seenM >= reachM + detourM || isEnough(seenM, names.length > 0)) break;
  }
  const places: (RoadPlace | undefined)[] = [];
  for (let mode = 0; mode < modes; mode++)
    places.push(oneOf(places, placeFor(layers, mode, lngE7, latE7, perLng)));
  return { places, rings: ring };
}

/** The existing access point at the same place. */
export function oneOf(
  known: readonly (RoadPlace | undefined)[],
  place: RoadPlace | undefined,
): RoadPlace | undefined {
  for (const other of known)
    if (
      other?.road === place?.road &&
      other?.against === place?.against &&
      other?.lngE7 === place?.lngE7 &&
      other?.latE7 === place?.latE7
    )
      return other;
  return place;
}

/** Everything within `seenM` was searched: whether the road of every mode is final. */
function isEnough(seenM: number, isNamed: boolean): boolean {
  for (let mode = 0; mode < modes; mode++) {
    const nearestM = Math.sqrt(nearest.square[mode]);
    const farthestM = isNamed
      ? Math.min(nearestM + detourM, Math.max(nearestM, Math.sqrt(nearest.square[modes + mode])))
      : nearestM;
    if (farthestM > seenM) return false;
  }
  return true;
}

function lookAt(
  layers: readonly RoadGrid[],
  layer: number,
  inSquare: number,
  lngE7: number,
  latE7: number,
  perLng: number,
  names: readonly number[],
): void {
  const { firstSegment, segments, segmentRoad, segmentEnds, modes: modesOf, name } = layers[layer];
  const { square } = nearest;
  const isNamed = names.length > 0;
  let farthest = farthestOf(modes);
  let farthestOwn = farthestOf(2 * modes);
  const end = firstSegment[inSquare + 1];
  for (let i = firstSegment[inSquare]; i < end; i++) {
    const segment = segments[i];
    const at = 4 * segment;
    const ax = (segmentEnds[at] - lngE7) * perLng;
    const ay = (segmentEnds[at + 1] - latE7) * perLat;
    const dx = (segmentEnds[at + 2] - lngE7) * perLng - ax;
    const dy = (segmentEnds[at + 3] - latE7) * perLat - ay;
    const length = dx * dx + dy * dy;
    const t = length === 0 ? 0 : Math.max(0, Math.min(1, -(ax * dx + ay * dy) / length));
    const px = ax + t * dx;
    const py = ay + t * dy;
    const distance = px * px + py * py;
    const road = segmentRoad[segment];
    const isOwn = isNamed && name[road] !== 0 && names.includes(name[road]);
    // Most segments are farther away than the roads found so far.
    if (distance > (isOwn ? farthestOwn : farthest)) continue;
    const may = modesOf[road] | (modesOf[road] >> modes);
    const ranks = isOwn ? 2 * modes : modes;
    for (let rank = 0; rank < ranks; rank++) {
      if ((may & (1 << (rank % modes))) === 0 || distance > square[rank]) continue;
      if (distance === square[rank] && !isBefore(layers, layer, segment, rank)) continue;
      square[rank] = distance;
      nearest.layer[rank] = layer;
      nearest.segment[rank] = segment;
    }
    farthest = farthestOf(modes);
    farthestOwn = farthestOf(2 * modes);
  }
}

/** Square metres to the farthest of the first ranks. */
function farthestOf(ranks: number): number {
  let most = 0;
  for (let rank = 0; rank < ranks; rank++) most = Math.max(most, nearest.square[rank]);
  return most;
}

/** Whether a segment precedes the nearest one of the rank. */
function isBefore(layers: readonly RoadGrid[], layer: number, segment: number, rank: number): boolean {
  const other = nearest.layer[rank];
  if (layer === other) return segment < nearest.segment[rank];
  const idOf = ({ roads, segmentRoad }: RoadGrid, of: number): number => roads[segmentRoad[of]].way.id;
  return idOf(layers[layer], segment) < idOf(layers[other], nearest.segment[rank]);
}

function placeFor(
  layers: readonly RoadGrid[],
  mode: number,
  lngE7: number,
  latE7: number,
  perLng: number,
): RoadPlace | undefined {
  const nearestM = Math.sqrt(nearest.square[mode]);
  if (nearestM > reachM) return undefined;
  const isNamed = Math.sqrt(nearest.square[modes + mode]) <= nearestM + detourM;
  const rank = isNamed ? modes + mode : mode;
  const { segmentRoad, segmentEnds, roads } = layers[nearest.layer[rank]];
  const segment = nearest.segment[rank];
  const ax = (segmentEnds[4 * segment] - lngE7) * perLng;
  const ay = (segmentEnds[4 * segment + 1] - latE7) * perLat;
  const dx = (segmentEnds[4 * segment + 2] - lngE7) * perLng - ax;
  const dy = (segmentEnds[4 * segment + 3] - latE7) * perLat - ay;
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.max(0, Math.min(1, -(ax * dx + ay * dy) / length));
  const px = ax + t * dx;
  const py = ay + t * dy;
  const road = roads[segmentRoad[segment]];
  const against = (road.modes & (1 << mode)) === 0;
  // The place is the origin: it lies to the left when the foot of the perpendicular lies to the right of it.
  const isLeft = dy * px - dx * py >= 0;
  return {
    road,
    against,
    lngE7: Math.round(lngE7 + px / perLng),
    latE7: Math.round(latE7 + py / perLat),
    side: Math.hypot(px, py) < onRoadM ? 0 : isLeft !== against ? 1 : 2,
  };
}
