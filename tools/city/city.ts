import { setTimeout as sleep } from 'node:timers/promises';
import type { CityReport } from './city-report.js';
import type { CityRoads } from './city-roads.js';
import { Commuter, type CommuterPorts } from './commuter.js';
import { driversMax } from './limits.js';
import { connectPlatform } from './platform-client.js';
import { type Random, seededRandom } from './random.js';
import { World, type WorldSettings, worldDefaults } from './world.js';

export interface CitySettings {
  readonly baseUrl: string;
  readonly drivers: number;
  readonly seed: number;
  /** Share of the drivers who let the platform guide them. */
  readonly guidedShare?: number;
  readonly world?: Partial<WorldSettings>;
}

export interface City {
  readonly report: CityReport;
  close(): Promise<void>;
}

const tickMs = 1_000;
/** Places that people drive between; few, so that roads get busy as they do in a city. */
const hotspotCount = 16;

/**
 * Drivers on real roads in real time. All of them move once a second; each sends what his phone gathered every few
 * seconds, at his own phase.
 */
export function startCity(roads: CityRoads, settings: CitySettings): City {
  if (settings.drivers > driversMax) throw new Error(`At most ${driversMax} drivers can be simulated.`);
  const random = seededRandom(settings.seed);
  const client = connectPlatform(settings.baseUrl);
  const world = new World(roads, random.fork(-1), { ...worldDefaults, ...settings.world }, Date.now());
  const report: CityReport = {
    accepted: 0,
    refused: 0,
    retried: 0,
    thinned: 0,
    trips: 0,
    navigations: 0,
    reroutes: 0,
    detours: 0,
  };
  const hotspots = pickHotspots(roads, random);
  const ports: CommuterPorts = { roads, world, client, hotspots, report, baseUrl: settings.baseUrl };
  const guided = Math.round(settings.drivers * (settings.guidedShare ?? 0.5));
  const commuters = Array.from(
    { length: settings.drivers },
    (_, i) => new Commuter(`driver-${i + 1}`, i < guided, ports, random.fork(i)),
  );
  let open = true;
  const running = run();
  return {
    report,
    async close() {
      open = false;
      await running;
      for (const commuter of commuters) commuter.close();
      await client.close();
    },
  };

  async function run(): Promise<void> {
    let beforeMs = Date.now();
    while (open) {
      const nowMs = Date.now();
      // A machine that was asleep must not make a thousand drivers jump across the city.
      const seconds = Math.min(5, (nowMs - beforeMs) / 1_000);
      beforeMs = nowMs;
      world.advance(
        nowMs,
        () => busiest(roads, commuters),
        () => commuters.flatMap(({ driver }) => driver.edgesAhead),
      );
      for (const commuter of commuters) commuter.tick(nowMs, seconds);
      await sleep(Math.max(50, tickMs - (Date.now() - nowMs)));
    }
  }
}

function pickHotspots(roads: CityRoads, random: Random): readonly number[] {
  const hotspots: number[] = [];
  // An edge from which no other hotspot can be reached is a yard or an island, not a place to drive to.
  for (let tries = 0; hotspots.length < hotspotCount && tries < hotspotCount * 20; tries++) {
    const edge = random.below(roads.edgeCount);
    if (roads.freeFlowKph(edge) <= 0) continue;
    const anchor = hotspots[0];
    const connected =
      anchor === undefined ||
      (roads.wayAlong(anchor, 0, edge, noneClosed) !== undefined &&
        roads.wayAlong(edge, 0, anchor, noneClosed) !== undefined);
    if (connected) hotspots.push(edge);
  }
  return hotspots;
}

const noneClosed: ReadonlySet<number> = new Set();
/** Edges this far ahead count as busy; beyond, most drivers will have turned off. */
const edgesLookedAhead = 25;
/** Nobody can drive around a closure of the very road that he is bound for. */
const edgesBeforeArrival = 12;
const busyEdges = 4;
const busyEdgesTried = 60;

/**
 * The edges that most guided drivers have ahead of them, not directly before their bumper, and that one can drive around:
 * where a one-way street has no exit before the closure, a simulated driver would wait for ever.
 */
function busiest(roads: CityRoads, commuters: readonly Commuter[]): readonly number[] {
  const ahead = new Map<number, { drivers: number; before: number; destination: number }>();
  for (const { navigating, driver } of commuters) {
    if (!navigating) continue;
    const edges = driver.edgesAhead.slice(4, -edgesBeforeArrival).slice(0, edgesLookedAhead);
    for (const [i, edge] of edges.slice(1).entries()) {
      const known = ahead.get(edge);
      if (known !== undefined) known.drivers++;
      else ahead.set(edge, { drivers: 1, before: edges[i]!, destination: driver.destination });
    }
  }
  const busy: number[] = [];
  const sorted = [...ahead].sort(([, a], [, b]) => b.drivers - a.drivers).slice(0, busyEdgesTried);
  for (const [edge, { before, destination }] of sorted) {
    const closed = new Set([edge, roads.reverseOf(edge) ?? edge]);
    if (roads.wayAlong(before, 1, destination, closed) !== undefined) busy.push(edge);
    if (busy.length === busyEdges) break;
  }
  return busy;
}
