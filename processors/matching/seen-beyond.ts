import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { pieceMaxM } from '../crossing-piece.js';
import { awayMetres, metresBeyond } from './away-from-route.js';
import type { Guidance } from './guidance.js';
import { type Move, movedM } from './passages.js';
import type { MatchingSettings } from './settings.js';

/**
 * Stores the furthest place of the route after the crossing at which the phone was. While it stands, as at a
 * signal, two points in succession must say so: of many, one is wrong by more than its error. A phone that
 * moves by more than its error sends a single one before the crossing is behind it.
 */
export function seenBeyond(
  network: RoadNetwork,
  guidance: Guidance,
  move: Move,
  settings: MatchingSettings,
): Guidance {
  const { point, sigmaM } = move;
  const { edges, at, leftAt, leftOver = [], reachedMs, beyondM = 0, pointBeyondM = 0 } = guidance;
  const crossing = at >= 0 ? at : leftAt;
  if (crossing === undefined || (at >= 0 && reachedMs === undefined)) return guidance;
  const awayM = awayMetres(settings, sigmaM);
  const driven = at >= 0 ? [edges[at]!] : leftOver;
  const metres = metresBeyond(network, edges, crossing, driven, {
    point,
    nearM: awayM / 2,
    marginM: awayM / 3,
  });
  const hasCome = movedM(network, move) >= awayM;
  const seenM = hasCome ? metres : Math.min(metres, pointBeyondM);
  const isAt = metres >= awayM;
  const isSeen = seenM >= Math.max(awayM, beyondM);
  if (!isAt && !isSeen && guidance.pointBeyondM === undefined) return guidance;
  const { pointBeyondM: _, ...rest } = guidance;
  return {
    ...rest,
    ...(isAt && { pointBeyondM: metres }),
    ...(isSeen && { beyondM: seenM }),
  };
}

/** A place is behind a piece when it is nearer to its end than to its beginning. */
export const isBehind = (lengthM: number, metres: number): boolean =>
  lengthM <= pieceMaxM && lengthM < 2 * metres;
