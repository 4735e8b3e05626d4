import type { Random } from '#platform/random/random.js';
import { seededRandom } from '#platform/random/random.js';
import { trafficDefaults } from '#processors/traffic/settings.js';
import { addToWindow, type SpeedWindow, speedFigure } from '#processors/traffic/speed-window.js';
import type { FinishedTrip } from '#routing-engine/arrival-times/arrival-model.js';
import { mapClock } from '#routing-engine/arrival-times/map-clock.js';
import { routeFeatures } from '#routing-engine/arrival-times/route-features.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { turnDs } from '#routing-engine/network/turn-cost.js';
import { networkRoads } from '#simulated-city/network-roads.js';
import { TrueTraffic } from '#simulated-city/true-traffic.js';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** A Monday. */
export const mondayMs = 1_794_787_200_000;
const lastsMs = 90 * minuteMs;
const hubs = 16;
/** How often other roads become slow. */
const slowTurnMs = 4 * minuteMs;
const tripSMin = 60;
/** Places without commuters: most of the world has some. */
const emptyShare = 0.25;

/** A place with its traffic, fleet and platform, drawn from one seed. */
export interface PriorWorld {
  /** `empty`: roads as fast as the map says, with some slow ones. `weeks`: commuters, days and signals. */
  readonly traffic: 'empty' | 'weeks';
  readonly tripsPerHour: number;
  /** True speed of all roads over that of the map. */
  readonly pace: number;
  /** Drivers are faster or slower than ordinary ones by up to this. */
  readonly paceSpread: number;
  readonly slowRoads: number;
  /** Share of the edges whose typical week is known. */
  readonly known: number;
  /** Drivers that a live speed needs. */
  readonly driversMin: number;
  readonly startMs: number;
}

/** Trips of a place, and which of the two kinds of traffic it has. */
export interface PriorPlace {
  readonly traffic: PriorWorld['traffic'];
  readonly trips: readonly FinishedTrip[];
}

export const priorPlace = (network: RoadNetwork, seed: number): PriorPlace => ({
  traffic: drawWorld(seededRandom(seed)).traffic,
  trips: priorTrips(network, seed),
});

function drawWorld(random: Random): PriorWorld {
  return {
    traffic: random.next() < emptyShare ? 'empty' : 'weeks',
    tripsPerHour: 60 * Math.exp(random.next() * Math.log(30)),
    driversMin: random.next() < 0.5 ? 2 : 5,
    pace: Math.exp(0.12 * random.normal()),
    paceSpread: 0.06 + 0.1 * random.next(),
    known: random.next() < 0.6 ? 0 : random.next(),
    startMs: mondayMs + random.below(7) * dayMs + 24 * random.next() * hourMs,
    slowRoads: random.below(120),
  };
}

interface RouteEdge {
  readonly edge: number;
  readonly edgeId: string;
  readonly lengthM: number;
  readonly freeFlowMs: number;
}

/**
 * Trips of ninety minutes in a place that the seed draws, but for what is fixed. The platform's speed windows
 * and features are the product's own; matching, closures and reroutes are left out.
 */
export function priorTrips(
  network: RoadNetwork,
  seed: number,
  fixed: Partial<PriorWorld> = {},
): readonly FinishedTrip[] {
  const random = seededRandom(seed);
  const world = { ...drawWorld(random), ...fixed };
  const { traffic: kind, pace, paceSpread, startMs, slowRoads } = world;
  const traffic = new TrueTraffic(networkRoads(network), seed);
  const routeOf = routesBetween(network, random);
  const slow = slowEdges(slowRoads, random);
  const platform = new KnownSpeeds(network, world, seed, traffic, random);
  const trips: FinishedTrip[] = [];
  for (let departMs = startMs; ; ) {
    departMs -= (Math.log(1 - random.next()) * hourMs) / world.tripsPerHour;
    if (departMs > startMs + lastsMs) return trips;
    const route = routeOf();
    if (route === undefined) continue;
    const slowNow = slow(departMs, route);
    const own = pace * (1 + paceSpread * (2 * random.next() - 1));
    // Most trips begin where the one before ended: at the end of an edge.
    const fraction = random.next() < 0.7 ? 1 : random.next();
    const features = platform.features(route, fraction, departMs);
    const driver = 1 + random.below(2 ** 40);
    let atMs = departMs;
    for (const [at, { edge, edgeId, freeFlowMs, lengthM }] of route.entries()) {
      const enteredMs = atMs;
      const { movingS, waitingS } =
        kind === 'weeks'
          ? traffic.drive(edge, atMs, 1 / own, random)
          : { movingS: freeFlowMs / 1_000 / (slowNow.get(edge) ?? 1) / own, waitingS: 0 };
      atMs += (movingS + waitingS) * 1_000 * (at === 0 ? 1 - fraction : 1);
      if (at > 0) platform.passed(edgeId, lengthM, driver, enteredMs, atMs);
    }
    const actualS = (atMs - departMs) / 1_000;
    if (actualS >= tripSMin) trips.push({ ...features, departMs, actualS });
  }
}

/** Routes between a few places; undefined for a pair without one. */
function routesBetween(network: RoadNetwork, random: Random): () => readonly RouteEdge[] | undefined {
  const roads = networkRoads(network);
  const places: number[] = [];
  for (let tries = 0; places.length < hubs && tries < 100 * hubs; tries++) {
    const edge = random.below(roads.edgeCount);
    if (roads.freeFlowKph(edge) > 0) places.push(edge);
  }
  const known = new Map<string, readonly RouteEdge[] | undefined>();
  return () => {
    const [from, to] = [random.pick(places), random.pick(places)];
    const key = `${from}>${to}`;
    if (!known.has(key)) {
      const way = from === to ? undefined : roads.findPath(from, 0, to, new Set());
      const edges = way?.map((edge) => {
        const lengthM = roads.edgeLengthM(edge);
        return {
          edge,
          edgeId: roads.edgeId(edge),
          lengthM,
          freeFlowMs: (lengthM * 3_600) / roads.freeFlowKph(edge),
        };
      });
      known.set(key, edges === undefined || edges.length < 3 ? undefined : edges);
    }
    return known.get(key);
  };
}

/** Shares of the usual speed on roads of the last trips, drawn again every few minutes. */
function slowEdges(
  count: number,
  random: Random,
): (nowMs: number, route: readonly RouteEdge[]) => ReadonlyMap<number, number> {
  const lastRoutes: (readonly RouteEdge[])[] = [];
  let slow = new Map<number, number>();
  let untilMs = 0;
  return (nowMs, route) => {
    if (nowMs >= untilMs) {
      untilMs = nowMs + slowTurnMs;
      slow = new Map();
      const driven = lastRoutes.flat();
      for (let i = 0; i < count && driven.length > 0; i++)
        slow.set(random.pick(driven).edge, 0.3 + 0.4 * random.next());
    }
    lastRoutes.push(route);
    if (lastRoutes.length > 60) lastRoutes.shift();
    return slow;
  };
}

/** What the platform knows of the speeds: live ones, and typical ones of a share of the edges. */
class KnownSpeeds {
  readonly #network: RoadNetwork;
  readonly #world: PriorWorld;
  readonly #seed: number;
  readonly #traffic: TrueTraffic;
  readonly #random: Random;
  readonly #window: typeof trafficDefaults.window;
  readonly #live = new Map<string, SpeedWindow>();
  readonly #typical = new Map<string, number>();

  constructor(network: RoadNetwork, world: PriorWorld, seed: number, traffic: TrueTraffic, random: Random) {
    this.#network = network;
    this.#world = world;
    this.#seed = seed;
    this.#traffic = traffic;
    this.#random = random;
    this.#window = { ...trafficDefaults.window, driversMin: world.driversMin };
  }

  passed(edgeId: string, lengthM: number, driver: number, enteredMs: number, leftMs: number): void {
    const passage = { driver, enteredMs, leftMs, metresPerMs: lengthM / Math.max(1, leftMs - enteredMs) };
    const before = (this.#live.get(edgeId) ?? []).slice(-20);
    this.#live.set(edgeId, addToWindow(before, passage, this.#window) ?? before);
  }

  features(route: readonly RouteEdge[], fraction: number, departMs: number) {
    const byId = new Map(route.map((each) => [each.edgeId, each]));
    const ratio = (edgeId: string, atMs: number): number | undefined =>
      this.#typicalRatio(byId.get(edgeId)!, atMs);
    let metricS = 0;
    for (const [at, each] of route.entries()) {
      metricS += this.#liveS(each, departMs, ratio) * (at === 0 ? 1 - fraction : 1);
      if (at > 0) metricS += (turnDs(this.#network, 'driving', route[at - 1]!.edge, each.edge) ?? 0) / 10;
    }
    const localMs = mapClock(this.#network)(departMs);
    return routeFeatures({ departMs, localMs, metricS, edges: route }, ratio);
  }

  #liveS(
    { edgeId, lengthM, freeFlowMs }: RouteEdge,
    nowMs: number,
    ratio: (edgeId: string, atMs: number) => number | undefined,
  ): number {
    const freeKph = (lengthM * 3_600) / freeFlowMs;
    const usual = ratio(edgeId, nowMs);
    // A passage that is still in progress has not been observed.
    const window = (this.#live.get(edgeId) ?? []).filter(({ leftMs }) => leftMs <= nowMs);
    const figure = speedFigure(window, nowMs, this.#window, usual && freeKph / usual);
    const { changeRatio, fasterRatioMax } = trafficDefaults.hysteresis;
    const isSaid = figure !== undefined && Math.abs(figure.kph - freeKph) > changeRatio * freeKph;
    return isSaid ? (lengthM * 3.6) / Math.min(figure.kph, fasterRatioMax * freeKph) : freeFlowMs / 1_000;
  }

  /** The mean of the last three weeks at that half hour, not quite exact. */
  #typicalRatio({ edge, freeFlowMs }: RouteEdge, atMs: number): number | undefined {
    const { known, traffic, pace, slowRoads } = this.#world;
    if ((Math.imul(edge + 1, 0x9e3779b1) ^ this.#seed) >>> 0 >= known * 2 ** 32) return undefined;
    const key = `${edge}:${Math.floor(atMs / (hourMs / 2))}`;
    let ratio = this.#typical.get(key);
    if (ratio !== undefined) return ratio;
    if (traffic === 'empty') ratio = (1 + slowRoads / 1_200) / pace;
    else {
      const weeks = [7, 14, 21].map((days) => this.#traffic.meanS(edge, atMs - days * dayMs));
      ratio = (weeks.reduce((sum, each) => sum + each, 0) * 1_000) / 3 / freeFlowMs / pace;
    }
    ratio *= Math.exp(0.05 * this.#random.normal());
    this.#typical.set(key, ratio);
    return ratio;
  }
}
