import { type Random, seededRandom } from '#platform/random/random.js';
import { distanceM } from '#routing-engine/network/earth.js';
import type { LatLng } from '#schemas/units.js';
import type { CityReport } from './city-report.js';
import type { CityRoads } from './city-roads.js';
import { Commuter, type CommuterPorts } from './commuter.js';
import { driversMax } from './limits.js';
import { medianPlace } from './median-place.js';
import type { Scenario } from './scenario.js';
import { type ScenarioName, scenarios } from './scenarios.js';
import { TripLog } from './trip-log.js';
import { World, type WorldSettings, worldDefaults } from './world.js';

export interface CityLifeSettings {
  readonly drivers: number;
  readonly seed: number;
  readonly scenario?: ScenarioName;
  /** Share of the drivers with guidance by the platform, instead of the scenario's. */
  readonly guidedShare?: number;
  readonly world?: Partial<WorldSettings>;
}

/** Places that people drive between; few, so that roads get busy as they do in a city. */
const hotspotCount = 16;
/** From the middle of the roads: over a whole country the drivers would not meet. */
const hotspotWithinM = 7_000;
const roadsOfMiddle = 1_000;

/** The drivers and the true state of the roads. Time is what `tick` is given. */
export class CityLife {
  readonly world: World;
  readonly report: CityReport = {
    ...{ accepted: 0, refused: 0, retried: 0, thinned: 0 },
    ...{ trips: 0, navigations: 0, reroutes: 0, detours: 0 },
  };
  readonly trips = new TripLog();
  readonly #roads: CityRoads;
  /** Those of the scenario included. */
  readonly #commuters: readonly Commuter[];
  readonly #direct: (nowMs: number) => void;

  constructor(
    roads: CityRoads,
    { drivers, seed, scenario: name = 'usual', guidedShare, world }: CityLifeSettings,
    { client, navigate }: Pick<CommuterPorts, 'client' | 'navigate'>,
    nowMs: number,
  ) {
    const scenario: Scenario = scenarios[name];
    const visitors = scenario.visitors ?? 0;
    if (drivers + visitors > driversMax) throw new Error(`At most ${driversMax} drivers can be simulated.`);
    const random = seededRandom(seed);
    this.#roads = roads;
    this.world = new World(roads, random.fork(-1), { ...worldDefaults, ...world }, nowMs);
    const hotspots = pickHotspots(roads, random);
    const { world: ofCity, trips, report } = this;
    const ports = { roads, world: ofCity, client, navigate, hotspots, report, trips };
    const guided = Math.round(drivers * (guidedShare ?? scenario.guidedShare ?? 0.5));
    this.#commuters = Array.from(
      { length: drivers + visitors },
      (_, i) =>
        new Commuter(
          `driver-${i + 1}`,
          i < guided || i >= drivers + visitors / 2,
          ports,
          random.fork(i),
          nowMs,
        ),
    );
    this.#direct =
      scenario.begin?.({
        ...{ startMs: nowMs, random: random.fork(-2), roads, world: this.world, hotspots },
        commuters: this.#commuters.slice(0, drivers),
        visitors: this.#commuters.slice(drivers),
        busyEdges: () => busiest(roads, this.#commuters),
      }) ?? (() => {});
  }

  /** `seconds`: how far all drivers move. */
  tick(nowMs: number, seconds: number): void {
    this.world.advance(nowMs, () => busiest(this.#roads, this.#commuters));
    this.#direct(nowMs);
    for (const commuter of this.#commuters) commuter.tick(nowMs, seconds);
  }

  close(): void {
    for (const commuter of this.#commuters) commuter.close();
  }
}

/**
 * Places of which each can be reached from each. Some edges are yards, islands or one-way ends, also the
 * first that is drawn: of the places drawn those count that most others are connected with.
 */
function pickHotspots(roads: CityRoads, random: Random): readonly number[] {
  const { lat, lng } = middleOf(roads);
  const isInTown = (edge: number): boolean => {
    const line = roads.edgeGeometry(edge);
    return distanceM(lng, lat, line[0]!, line[1]!) <= hotspotWithinM;
  };
  const drawn: number[] = [];
  for (let tries = 0; drawn.length < hotspotCount * 3 && tries < hotspotCount * 60; tries++) {
    const edge = random.below(roads.edgeCount);
    if (roads.freeFlowKph(edge) > 0 && isInTown(edge)) drawn.push(edge);
  }
  let most: readonly number[] = [];
  for (const anchor of drawn) {
    const connected = drawn.filter((edge) => edge === anchor || isConnected(roads, anchor, edge));
    if (connected.length > most.length) most = connected;
    if (2 * most.length > drawn.length) break;
  }
  if (most.length < 2) throw new Error('No two places of this map can be driven between.');
  return most.slice(0, hotspotCount);
}

/** The median of roads for cars, of every so many. */
function middleOf(roads: CityRoads): LatLng {
  const step = Math.max(1, Math.floor(roads.edgeCount / roadsOfMiddle));
  const edges: number[] = [];
  for (let edge = 0; edge < roads.edgeCount; edge += step) if (roads.freeFlowKph(edge) > 0) edges.push(edge);
  return medianPlace(roads, edges);
}

const isConnected = (roads: CityRoads, one: number, other: number): boolean =>
  roads.findPath(one, 0, other, noneClosed) !== undefined &&
  roads.findPath(other, 0, one, noneClosed) !== undefined;

const noneClosed: ReadonlySet<number> = new Set();
/** Edges this far ahead count as busy; beyond, most drivers will have turned off. */
const edgesLookedAhead = 25;
/** No driver can go around a closure of the road that they are bound for. */
const edgesBeforeArrival = 12;
const busyEdges = 4;
const busyEdgesTried = 60;

/**
 * The edges that most guided drivers have ahead of them, not directly before their bumper, and that one can
 * drive around: where a one-way street has no exit before the closure, a simulated driver would wait for
 * ever.
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
    if (roads.findPath(before, 1, destination, closed) !== undefined) busy.push(edge);
    if (busy.length === busyEdges) break;
  }
  return busy;
}
