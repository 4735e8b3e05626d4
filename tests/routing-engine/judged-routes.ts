import { expect } from 'vitest';
import type { RawMap } from '#bench/routing/raw-map.js';
import { type SilentTurn, silentTurns } from '#bench/routing/silent-turns.js';
import { guide, type RouteStep } from '#routing-engine/guidance/guide.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { CLOSED, freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { findRoute } from '#routing-engine/route/find-route.js';
import { pathGeometry } from '#routing-engine/route/path-geometry.js';

/** For this many routes between random roads of the network: turns of the raw map that no step announces. */
export function judgedRoutes(
  network: RoadNetwork,
  map: RawMap,
  count: number,
  random: () => number,
): SilentTurn[][] {
  const metric = freeFlowMetric(network, 'driving');
  const end = (): { edge: number; fraction: number } => {
    const edge = Math.floor(random() * network.edgeCount);
    return metric.costMs[edge] !== CLOSED ? { edge, fraction: 0.5 } : end();
  };
  const found: SilentTurn[][] = [];
  for (let asked = 0; asked < 4 * count && found.length < count; asked++) {
    const outcome = findRoute(network, metric, { from: [end()], to: [end()] });
    if (outcome.status !== 'ok') continue;
    const { path } = outcome;
    const steps = guide(network, metric, path, pathGeometry(network, path), { language: 'en' });
    const ids = Array.from(path.edges, (edge) => network.edgeId(edge));
    const told = steps.flatMap((step) => [step.edgeFrom, ...overCrossing(network, path.edges, step)]);
    found.push(silentTurns(map, ids, new Set(told), 'driving'));
  }
  return found;
}

/** A slip road is at most this long, and so is the way over a crossing of divided roads. */
const crossingM = 150;

/** One instruction leads over a slip road or a crossing of divided roads, with all turns on it. */
function overCrossing(
  network: RoadNetwork,
  edges: Uint32Array,
  { maneuver, edgeFrom, edgeBehind }: RouteStep,
): number[] {
  const places: number[] = [];
  if (/^(depart|arrive)$|roundabout|rotary/.test(maneuver.type)) return places;
  let acrossM = 0;
  for (let at = edgeFrom; at < edgeBehind; at++) {
    acrossM += network.edgeLengthM(edges[at]!);
    expect(acrossM).toBeLessThanOrEqual(crossingM);
    places.push(at + 1);
  }
  return places;
}
