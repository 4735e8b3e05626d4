import { metersPerDegree } from '#routing-engine/network/earth.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { LatLng } from '#schemas/units.js';
import { pieceMaxM } from '../crossing-piece.js';
import { projectOnEdge } from '../project-on-edge.js';
import type { MatchingSettings } from './settings.js';

/**
 * Metres of the route ahead that a driver may really be on while the matcher believes in a road beside it.
 */
const besideM = 300;

/** Metres by which the length of a drive from a crossing on may be wrong. */
const lostM = 50;
/** Assumed accuracy of a phone that reports none, in records of an earlier version. */
const usualSigmaM = 15;

/** Metres from which on a phone is surely elsewhere. */
export const awayMetres = (
  { awaySigmas }: Pick<MatchingSettings, 'awaySigmas'>,
  sigmaM = usualSigmaM,
): number => awaySigmas * sigmaM;

/** The position of a phone, and the distance from a road at which it is certainly elsewhere. */
export interface PhonePlace {
  readonly point: LatLng;
  readonly awayM: number;
  /** Metres that the driver has driven since the crossing: they are not much further along the route. */
  readonly sinceM?: number;
}

/**
 * False where the phone's own point is near the path that the driver was led: then the other road is a
 * mistake.
 */
export function isAway(
  network: RoadNetwork,
  edges: readonly number[],
  at: number,
  { point, awayM, sinceM = besideM }: PhonePlace,
): boolean {
  const aheadM = Math.min(sinceM + lostM, besideM);
  let metres = 0;
  for (let i = at + 1; i < edges.length && metres < aheadM; i++) {
    if (projectOnEdge(network, edges[i]!, point).distanceM < awayM) return false;
    metres += network.edgeLengthM(edges[i]!);
  }
  return true;
}

/**
 * Metres along the route behind `edges[at]` at which the phone is: it is nearer to that position than
 * `nearM`, and by `marginM` nearer than to the `driven` edges; 0 elsewhere. A road that leaves the route at a
 * narrow angle does not count as nearer. Searches only as far as pieces of one crossing reach.
 */
export function metresBeyond(
  network: RoadNetwork,
  edges: readonly number[],
  at: number,
  driven: readonly number[],
  { point, nearM, marginM }: { readonly point: LatLng; readonly nearM: number; readonly marginM: number },
): number {
  const drivenM = driven.map((edge) => projectOnEdge(network, edge, point).distanceM - marginM);
  let nearestM = Math.min(nearM, ...drivenM);
  let [beyondM, metres] = [0, 0];
  for (let i = at + 1; i < edges.length && metres < pieceMaxM; i++) {
    const { distanceM, fraction } = projectOnEdge(network, edges[i]!, point);
    const lengthM = network.edgeLengthM(edges[i]!);
    if (distanceM < nearestM) {
      nearestM = distanceM;
      beyondM = metres + fraction * lengthM;
    }
    metres += lengthM;
  }
  return beyondM;
}

/** The matched position of a phone, and its own one. */
export interface OnEdge {
  readonly edge: number;
  readonly fraction: number;
  readonly point: LatLng;
  /** See `Move`. */
  readonly sigmaM?: number;
}

/** Edges searched for a driver who turned, back from the crossing that they came to. */
const edgesBackMax = 8;

/**
 * Metres from the end of the present edge back to a place on the way they came, on either lane or on a
 * carriageway beside it; undefined elsewhere.
 */
export function metresBack(
  network: RoadNetwork,
  edges: readonly number[],
  at: number,
  { edge, fraction, point }: OnEdge,
  awayM: number,
): number | undefined {
  let metres = 0;
  let nearestM = awayM;
  let beside: number | undefined;
  for (let i = at; i >= 0 && i > at - edgesBackMax; i--) {
    const came = edges[i]!;
    const lengthM = network.edgeLengthM(came);
    if (came === edge) return metres + (1 - fraction) * lengthM;
    if (network.reverseOf(came) === edge) return metres + fraction * lengthM;
    const projected = projectOnEdge(network, came, point);
    if (projected.distanceM < nearestM) {
      nearestM = projected.distanceM;
      beside = metres + (1 - projected.fraction) * lengthM;
    }
    metres += lengthM;
  }
  return beside;
}

/** Edges of a path beside the driven one, at most. */
const edgesMax = 6;
/** Metres, at most, between two points of an edge whose distance is measured. */
const stepM = 10;

/**
 * Whether a phone cannot show that the driver left the route at edge `led`: a path over that edge joins the
 * driven one, and the two are always less than `nearM` apart, like the sides of a traffic island.
 *
 *     ──▶●──led──▶●
 *         ╲       │ less than nearM apart
 *          driven ▼
 *             ╲──▶●──▶
 *
 * `driven`: original edges from the crossing on, in order.
 */
export function mayHaveTaken(
  network: RoadNetwork,
  led: number,
  driven: readonly number[],
  nearM: number,
): boolean {
  const { head, firstOut, copyOf } = network.arrays;
  if (network.edgeLengthM(led) <= pieceMaxM || !isBeside(network, led, driven, nearM)) return false;
  const seen = new Set([led]);
  let paths: (readonly number[])[] = [[led]];
  for (let length = 1; length <= edgesMax && paths.length > 0; length++) {
    const longer: (readonly number[])[] = [];
    for (const path of paths) {
      const last = path.at(-1)!;
      const node = head[last]!;
      for (let out = firstOut[node]!; out < firstOut[node + 1]!; out++) {
        const edge = copyOf[out]!;
        const joined = driven.indexOf(edge, 1);
        if (joined > 0 && driven.slice(0, joined).every((each) => isBeside(network, each, path, nearM)))
          return true;
        if (seen.has(edge) || edge === network.reverseOf(last) || !isBeside(network, edge, driven, nearM))
          continue;
        seen.add(edge);
        longer.push([...path, edge]);
      }
    }
    paths = longer;
  }
  return false;
}

/** True while no place of the edge is `nearM` or more from all of the others. */
function isBeside(network: RoadNetwork, edge: number, others: readonly number[], nearM: number): boolean {
  const isNear = (place: LatLng): boolean =>
    others.some((other) => projectOnEdge(network, other, place).distanceM < nearM);
  const shape = network.edgeGeometry(edge);
  for (let i = 2; i < shape.length; i += 2) {
    const [fromLng, fromLat, toLng, toLat] = [shape[i - 2]!, shape[i - 1]!, shape[i]!, shape[i + 1]!];
    const metres = metersPerDegree * Math.hypot(toLng - fromLng, toLat - fromLat);
    const steps = Math.max(1, Math.ceil(metres / stepM));
    for (let step = 0; step <= steps; step++) {
      const share = step / steps;
      if (!isNear({ lng: fromLng + (toLng - fromLng) * share, lat: fromLat + (toLat - fromLat) * share }))
        return false;
    }
  }
  return true;
}
