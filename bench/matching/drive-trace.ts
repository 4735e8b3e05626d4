import type { TracePoint } from '#routing-engine/matching/trace-point.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { RoutePath } from '#routing-engine/route/find-route.js';
import { type PathGeometry, pathGeometry } from '#routing-engine/route/path-geometry.js';

/** Error model of a phone. */
export interface Phone {
  /** Standard deviation along each axis. */
  readonly sigmaM: number;
  readonly everyS: number;
  /** Whether the phone reports heading and speed. */
  readonly heading: boolean;
  /** Probability per minute of losing reception for 40 s. */
  readonly gapsPerMinute: number;
}

export interface Trace {
  readonly points: readonly TracePoint[];
  /** The route that was driven, [lng, lat, lng, lat, …]. */
  readonly truth: Float64Array;
}

const metresPerDegree = 111_195;
/**
 * A receiver's error wanders: this share of its variance is held for about `wanderS`, the rest is new at each
 * point.
 */
const wanderingShare = 0.9;
const wanderS = 15;
const gapS = 40;
const startMs = 1_795_000_000_000;

/**
 * Drives a route: each edge at 0.6 to 1.05 of its free-flow speed, with a stop of 5 to 45 s at one crossing
 * in ten, and notes where the phone believes to be. One point in fifty is three times as wrong as the others.
 */
export function driveTrace(network: RoadNetwork, path: RoutePath, phone: Phone, random: () => number): Trace {
  const geometry = pathGeometry(network, path);
  const { lngLat } = geometry;
  const passedS = timesOf(network, path, geometry, random);
  const perLng = metresPerDegree * Math.cos((lngLat[1]! * Math.PI) / 180);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const keep = Math.exp(-phone.everyS / wanderS);
  const wander = [normal(), normal()];
  const points: TracePoint[] = [];
  const endS = passedS.at(-1)!;
  let at = 1;
  let blindUntilS = 0;
  for (let s = phone.everyS * random(); s < endS; s += phone.everyS) {
    for (const axis of [0, 1]) wander[axis] = keep * wander[axis]! + Math.sqrt(1 - keep * keep) * normal();
    if (random() < (phone.gapsPerMinute * phone.everyS) / 60) blindUntilS = s + gapS;
    while (at < passedS.length - 1 && passedS[at]! < s) at++;
    const share = Math.min(1, Math.max(0, (s - passedS[at - 1]!) / (passedS[at]! - passedS[at - 1]! || 1)));
    const [dx, dy] = [lngLat[2 * at]! - lngLat[2 * at - 2]!, lngLat[2 * at + 1]! - lngLat[2 * at - 1]!];
    const sigma = phone.sigmaM * (random() < 0.02 ? 3 : 1);
    const off = (axis: number): number =>
      sigma * (Math.sqrt(wanderingShare) * wander[axis]! + Math.sqrt(1 - wanderingShare) * normal());
    const metres = Math.hypot(dx * perLng, dy * metresPerDegree);
    const mps = metres / (passedS[at]! - passedS[at - 1]! || 1);
    const accuracyM = Math.max(3, 1.5 * phone.sigmaM * (0.8 + 0.4 * random()));
    const headingDeg =
      ((Math.atan2(dx * perLng, dy * metresPerDegree) * 180) / Math.PI + 8 * normal() + 720) % 360;
    const [east, north] = [off(0), off(1)];
    if (s < blindUntilS) continue;
    points.push({
      lngE7: Math.round(1e7 * (lngLat[2 * at - 2]! + share * dx + east / perLng)),
      latE7: Math.round(1e7 * (lngLat[2 * at - 1]! + share * dy + north / metresPerDegree)),
      timeMs: startMs + Math.round(1_000 * s),
      accuracyM: Number(accuracyM.toFixed(1)),
      ...(phone.heading ? { headingDeg: Math.round(headingDeg), speedMps: Number(mps.toFixed(1)) } : {}),
    });
  }
  return { points, truth: lngLat };
}

/** [points] seconds at which each point of the line is passed. */
function timesOf(
  network: RoadNetwork,
  path: RoutePath,
  { lngLat, edgeStart }: PathGeometry,
  random: () => number,
): number[] {
  const perLng = metresPerDegree * Math.cos((lngLat[1]! * Math.PI) / 180);
  const times = [0];
  for (const [i, edge] of path.edges.entries()) {
    const mps = (network.freeFlowKph(edge, 'driving') / 3.6) * (0.6 + 0.45 * random());
    for (let p = edgeStart[i]! + 1; p <= edgeStart[i + 1]!; p++) {
      const metres = Math.hypot(
        (lngLat[2 * p]! - lngLat[2 * p - 2]!) * perLng,
        (lngLat[2 * p + 1]! - lngLat[2 * p - 1]!) * metresPerDegree,
      );
      times[p] = times[p - 1]! + metres / mps;
    }
    // The driver waits just before the crossing, on the last metres of the edge.
    if (random() < 0.1) times[edgeStart[i + 1]!]! += 5 + 40 * random();
  }
  return times;
}
