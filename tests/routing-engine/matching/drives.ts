import type { TracePoint } from '#routing-engine/matching/trace-point.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { turnDs } from '#routing-engine/network/turn-cost.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { findRoute, type RoutePath } from '#routing-engine/route/find-route.js';
import { pathGeometry } from '#routing-engine/route/path-geometry.js';

export const startMs = 1_795_000_000_000;
const perDegree = 111_195;

/** Within a phone's error of a crossing, the road on which a drive started or ended is unknown. */
const endEdgeMinM = 80;

/** A fastest route of 1 to 8 km between places in the middle of long roads that anyone may pass. */
export function drawRoute(network: RoadNetwork, random: () => number): RoutePath {
  const { copyOf, zone } = network.arrays;
  const metric = freeFlowMetric(network, 'driving');
  const draw = () => {
    for (;;) {
      const edge = Math.floor(random() * network.edgeCount);
      const isOpen = network.freeFlowKph(edge, 'driving') > 0 && copyOf[edge] === edge && zone[edge] === 0;
      if (isOpen && network.edgeLengthM(edge) >= endEdgeMinM) return { edge, fraction: 0.3 + 0.4 * random() };
    }
  };
  for (;;) {
    const outcome = findRoute(network, metric, { from: [draw()], to: [draw()] });
    if (outcome.status !== 'ok' || turnsShort(network, outcome.path.edges)) continue;
    if (outcome.path.lengthM > 1_000 && outcome.path.lengthM < 8_000) return outcome.path;
  }
}

/**
 * Into a dead end of a few car lengths and out again: points do not distinguish that from standing at the
 * crossing.
 */
const deadEndMinM = 50;
const turnsShort = (network: RoadNetwork, edges: Uint32Array): boolean =>
  edges.some((edge, i) => {
    const turnsBack = i > 0 && network.reverseOf(edges[i - 1]!) === network.arrays.copyOf[edge];
    return turnsBack && network.edgeLengthM(edge) < deadEndMinM;
  });

/**
 * Points along a route at this interval in metres, both ends included, at a speed; each moved by up to
 * `errorM` both ways.
 */
export function pointsAlong(
  network: RoadNetwork,
  path: RoutePath,
  {
    everyM,
    mps = 8,
    errorM = 0,
    random = Math.random,
  }: { everyM: number; mps?: number; errorM?: number; random?: () => number },
): TracePoint[] {
  const { lngLat } = pathGeometry(network, path);
  const points: TracePoint[] = [];
  let alongM = 0;
  let nextM = 0;
  const put = (lng: number, lat: number, atM: number): void => {
    const off = (): number => (2 * random() - 1) * errorM;
    points.push({
      lngE7: Math.round(1e7 * (lng + off() / (perDegree * Math.cos((lat * Math.PI) / 180)))),
      latE7: Math.round(1e7 * (lat + off() / perDegree)),
      timeMs: startMs + Math.round((1_000 * atM) / mps),
      accuracyM: Math.max(1, errorM),
    });
  };
  for (let p = 2; p < lngLat.length; p += 2) {
    const [lng, lat] = [lngLat[p - 2]!, lngLat[p - 1]!];
    const [dx, dy] = [lngLat[p]! - lng, lngLat[p + 1]! - lat];
    const metres = Math.hypot(dx * perDegree * Math.cos((lat * Math.PI) / 180), dy * perDegree);
    for (; nextM <= alongM + metres; nextM += everyM) {
      const share = metres === 0 ? 0 : (nextM - alongM) / metres;
      put(lng + share * dx, lat + share * dy, nextM);
    }
    alongM += metres;
  }
  // The driver stops for a moment, so that the last point is not ignored as a repetition.
  put(lngLat.at(-2)!, lngLat.at(-1)!, alongM + 6 * mps);
  return points;
}

/**
 * The faults of a path of original edges: a break, or a turn that no copy of them may take. Turning around on
 * a road is legal.
 */
export function wrongTurns(network: RoadNetwork, edges: readonly number[]): string[] {
  const wrongs: string[] = [];
  let standing = network.copiesOf(edges[0]!);
  for (let i = 1; i < edges.length; i++) {
    const before = edges[i - 1]!;
    const next = network.copiesOf(edges[i]!);
    const reached = next.filter((to) =>
      standing.some((from) => turnDs(network, 'driving', from, to) !== undefined),
    );
    const turnsBack = network.reverseOf(before) === edges[i];
    if (reached.length === 0 && !turnsBack)
      wrongs.push(`${network.edgeId(before)} to ${network.edgeId(edges[i]!)}`);
    standing = turnsBack ? next : reached;
  }
  return wrongs;
}
