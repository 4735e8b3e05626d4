import type { HiddenClosure, SimulationTruth, WayAhead as WayInTruth } from '#schemas/http/simulation.js';
import type { CityLife, CityLifeSettings } from './city-life.js';
import type { CityRoads } from './city-roads.js';
import type { WayAhead } from './trip-log.js';
import type { HiddenClosure as WorldClosure } from './world.js';

const eventsMs = 2 * 60_000;

/** What is true in the city, in the form of `GET /v1/simulation/truth`. */
export function cityTruth(
  roads: CityRoads,
  { world, trips }: Pick<CityLife, 'world' | 'trips'>,
  { seed, drivers, scenario = 'usual' }: Pick<CityLifeSettings, 'seed' | 'drivers' | 'scenario'>,
  nowMs: number,
): SimulationTruth {
  const closures = [...world.pastClosures, ...world.closures].map((closure) => closureView(roads, closure));
  return {
    ...{ now_ms: nowMs, seed, drivers, scenario, closures },
    speeds: world.drivenEdges.map((edge) => ({ edge: roads.edgeId(edge), kph: world.meanKph(edge) })),
    trips: trips.trips.map(({ id, from, to, departedMs, arrivedMs }) => ({
      ...{ id, from, to, departed_ms: departedMs },
      arrived_ms: arrivedMs ?? null,
    })),
    barriers: trips
      .barriersSince(nowMs - eventsMs)
      .map(({ driver, edge, atMs }) => ({ driver, edge: roads.edgeId(edge), at_ms: atMs })),
    reroutes: trips.reroutesSince(nowMs - eventsMs).map(({ driver, atMs, before, after }) => ({
      ...{ driver, at_ms: atMs },
      before: wayView(roads, before),
      after: wayView(roads, after),
    })),
  };
}

const wayView = (roads: CityRoads, { edges, durationS }: WayAhead): WayInTruth => ({
  edges: edges.map((edge) => roads.edgeId(edge)),
  duration_s: Number.isFinite(durationS) ? durationS : null,
});

function closureView(
  roads: CityRoads,
  { edges, closedMs, opensMs, passagesPerMinute, turnedBack }: WorldClosure,
): HiddenClosure {
  return {
    edges: edges.map((edge) => roads.edgeId(edge)),
    lines: edges.map((edge) => lineOf(roads.edgeGeometry(edge))),
    from_ms: closedMs,
    until_ms: opensMs,
    passages_per_minute: passagesPerMinute,
    turned_back: turnedBack,
  };
}

function lineOf(shape: ArrayLike<number>): number[][] {
  return Array.from({ length: shape.length / 2 }, (_, i) => [shape[2 * i + 1]!, shape[2 * i]!]);
}
