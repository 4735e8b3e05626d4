import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { LatLng } from '#schemas/units.js';
import { pieceMaxM } from '../crossing-piece.js';
import { projectOnEdge } from '../project-on-edge.js';
import type { Guidance } from './guidance.js';
import { type Move, movedM } from './passages.js';

/** Points of which the mean is known to two metres, for a phone that errs by four. */
const pointsMin = 4;
/** The mean follows a driver who moves up slowly. */
const pointsMax = 8;

/**
 * Stores where a driver on the route stands, from the phone's own points: those that are no farther apart
 * than `awayM`, its greatest error. The matched place of a phone that stands jumps ahead with its points,
 * onto edges that the driver did not enter.
 */
export function withStanding(network: RoadNetwork, guidance: Guidance, move: Move, awayM: number): Guidance {
  const { edges, at, stood } = guidance;
  if (at < 0) return guidance;
  const isPiece = (position: number): boolean =>
    position < edges.length && network.edgeLengthM(edges[position]!) <= pieceMaxM;
  if (Math.abs(movedM(network, move)) >= awayM || !(isPiece(at) || isPiece(at + 1))) {
    if (stood === undefined) return guidance;
    const { stood: _, ...moving } = guidance;
    return moving;
  }
  const { point } = move;
  const metres = stood && metresAlong(network, edges, stood.at, point);
  if (stood === undefined || metres === undefined || Math.abs(metres - stood.metres) >= awayM)
    return { ...guidance, stood: { at, metres: metresAlong(network, edges, at, point), points: 1 } };
  const points = Math.min(stood.points + 1, pointsMax);
  const mean = stood.metres + (metres - stood.metres) / points;
  return { ...guidance, stood: { at: stood.at, metres: mean, points } };
}

/**
 * The last edge of the route that a driver entered who turned round, or stands, as the matcher has it on
 * `edges[at]`. A driver who stood nearer to the start of a piece than to its end did not enter it.
 */
export function lastEntered(network: RoadNetwork, { edges, stood }: Guidance, at: number): number {
  if (stood === undefined || stood.points < pointsMin) return at;
  let startM = 0;
  for (let i = stood.at; i < at; i++) startM += network.edgeLengthM(edges[i]!);
  let last = at;
  for (; last > 0; last--) {
    const lengthM = network.edgeLengthM(edges[last]!);
    if (lengthM > pieceMaxM || stood.metres > startM + lengthM / 2) break;
    startM -= network.edgeLengthM(edges[last - 1]!);
  }
  return last;
}

/** Metres of the point along the route from the start of `edges[at]`, from the edge before to a piece on. */
function metresAlong(network: RoadNetwork, edges: readonly number[], at: number, point: LatLng): number {
  const endM = network.edgeLengthM(edges[at]!);
  let [nearestM, alongM] = [Number.POSITIVE_INFINITY, 0];
  let startM = at > 0 ? -network.edgeLengthM(edges[at - 1]!) : 0;
  for (let i = Math.max(0, at - 1); i < edges.length && startM < endM + pieceMaxM; i++) {
    const lengthM = network.edgeLengthM(edges[i]!);
    const { distanceM, fraction } = projectOnEdge(network, edges[i]!, point);
    if (distanceM < nearestM) [nearestM, alongM] = [distanceM, startM + fraction * lengthM];
    startM += lengthM;
  }
  return alongM;
}
