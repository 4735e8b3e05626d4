import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { LatLng } from '#schemas/units.js';

/** One step of a driver along the network, from one matched point to the next. */
export interface Move {
  /** Edges from the first place to the second, both included. */
  readonly traversed: readonly number[];
  readonly fromFraction: number;
  readonly toFraction: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** The phone's position at the end of the move. */
  readonly point: LatLng;
  /** Error of the phone along an axis, as the matcher uses it; absent in records of an earlier version. */
  readonly sigmaM?: number;
}

/** An edge that was driven from end to end. */
export interface DrivenEdge {
  readonly edge: number;
  readonly enteredMs: number;
  readonly leftMs: number;
  /** The edge before it, where that is known. */
  readonly cameFrom?: number | undefined;
}

/** The driver turned round at its start: where and when is not known well enough for a speed. */
export const hasTurned = (
  network: RoadNetwork,
  { edge, cameFrom }: Pick<DrivenEdge, 'edge' | 'cameFrom'>,
): boolean => cameFrom !== undefined && network.reverseOf(cameFrom) === edge;

export interface Progress {
  readonly driven: readonly DrivenEdge[];
  /** When the last edge was entered; undefined if the drive started or turned round in the middle of one. */
  readonly enteredMs: number | undefined;
  /** The edge before the last one; undefined likewise. */
  readonly cameFrom: number | undefined;
}

/** Metres along the network; negative for a step back on one edge. */
export function movedM(
  network: RoadNetwork,
  { traversed, fromFraction, toFraction }: Pick<Move, 'traversed' | 'fromFraction' | 'toFraction'>,
): number {
  const last = traversed.length - 1;
  if (last === 0) return (toFraction - fromFraction) * network.edgeLengthM(traversed[0]!);
  let metres = (1 - fromFraction) * network.edgeLengthM(traversed[0]!);
  for (let i = 1; i < last; i++) metres += network.edgeLengthM(traversed[i]!);
  return metres + toFraction * network.edgeLengthM(traversed[last]!);
}

/** When each traversed edge but the last one was left, at an even speed over the distance. */
export function crossingTimes(network: RoadNetwork, move: Omit<Move, 'point' | 'sigmaM'>): readonly number[] {
  const { traversed, fromFraction, fromMs, toMs } = move;
  const msPerMetre = (toMs - fromMs) / Math.max(movedM(network, move), 1e-3);
  let metres = -fromFraction * network.edgeLengthM(traversed[0]!);
  return traversed.slice(0, -1).map((edge) => {
    metres += network.edgeLengthM(edge);
    return Math.round(fromMs + metres * msPerMetre);
  });
}

/**
 * The edges that the move completed. An edge with a U-turn on it does not count, because the driven distance
 * is unknown. A driver who turned round within `approachM` of its end turned at the crossing.
 */
export function completedEdges(
  network: RoadNetwork,
  move: Omit<Move, 'point' | 'sigmaM'>,
  enteredMs: number | undefined,
  cameFrom: number | undefined,
  approachM: number,
): Progress {
  const { traversed, fromFraction } = move;
  const times = crossingTimes(network, move);
  const driven: DrivenEdge[] = [];
  let entered = enteredMs;
  let before = cameFrom;
  for (const [i, leftMs] of times.entries()) {
    const edge = traversed[i]!;
    const isTurn = network.reverseOf(edge) === traversed[i + 1];
    if (entered !== undefined && leftMs > entered && !isTurn)
      driven.push({ edge, enteredMs: entered, leftMs, cameFrom: before });
    const leftM = (1 - (i === 0 ? fromFraction : 0)) * network.edgeLengthM(edge);
    const isKnown = !isTurn || leftM <= approachM;
    entered = isKnown ? leftMs : undefined;
    before = isKnown ? edge : undefined;
  }
  return { driven, enteredMs: entered, cameFrom: before };
}
