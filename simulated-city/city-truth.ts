import type { HiddenClosure, SimulationTruth } from '#schemas/http/simulation.js';
import type { CityRoads } from './city-roads.js';
import type { World, HiddenClosure as WorldClosure } from './world.js';

/** What is true in the city, in the form of `GET /v1/simulation/truth`. */
export function cityTruth(
  roads: CityRoads,
  world: World,
  { seed, drivers }: { readonly seed: number; readonly drivers: number },
  nowMs: number,
): SimulationTruth {
  const closures = [...world.pastClosures, ...world.closures].map((closure) => closureView(roads, closure));
  return { now_ms: nowMs, seed, drivers, closures };
}

function closureView(
  roads: CityRoads,
  { edges, closedMs, opensMs, passagesPerMinute }: WorldClosure,
): HiddenClosure {
  return {
    edges: edges.map((edge) => roads.edgeId(edge)),
    lines: edges.map((edge) => lineOf(roads.edgeGeometry(edge))),
    from_ms: closedMs,
    until_ms: opensMs,
    passages_per_minute: passagesPerMinute,
  };
}

function lineOf(shape: ArrayLike<number>): number[][] {
  return Array.from({ length: shape.length / 2 }, (_, i) => [shape[2 * i + 1]!, shape[2 * i]!]);
}
