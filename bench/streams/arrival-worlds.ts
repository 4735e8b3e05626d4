import { seededRandom } from '#platform/random/random.js';
import type { ArrivalModel } from '#routing-engine/arrival-times/arrival-model.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { ArrivalObserved } from '#schemas/messages.js';
import { CityLife } from '#simulated-city/city-life.js';
import type { CityRoads } from '#simulated-city/city-roads.js';
import { networkRoads } from '#simulated-city/network-roads.js';
import { TrueTraffic } from '#simulated-city/true-traffic.js';
import type { WorldSettings } from '#simulated-city/world.js';
import { VirtualClock } from '../simulation/virtual-clock.js';
import { VirtualArrivals, type WholeTrip } from './virtual-arrivals.js';
import { VirtualPlatform } from './virtual-platform.js';

/** A city whose drivers begin at `startMs`, with a platform that knows nothing of it. */
export interface ArrivalWorld {
  readonly network: RoadNetwork;
  readonly seed: number;
  readonly startMs: number;
  readonly minutes: number;
  readonly drivers: number;
  /** `empty`: roads are as fast as the map says, but for slow roads. `weeks`: commuters, days, signals. */
  readonly traffic: 'empty' | 'weeks';
  /** True speed of all roads over that of the map. */
  readonly pace?: number;
  readonly world?: Partial<WorldSettings>;
}

export interface ArrivalPlatform {
  readonly model: (nowMs: number) => ArrivalModel | undefined;
  readonly onFinished: (trip: ArrivalObserved, endedMs: number) => void;
}

/** All trips that a driver was guided on from their start to their destination. */
export async function driveWorld(
  { network, seed, startMs, minutes, drivers, traffic, pace = 1, world }: ArrivalWorld,
  { model, onFinished }: ArrivalPlatform,
): Promise<readonly WholeTrip[]> {
  const clock = new VirtualClock(startMs);
  const whole: WholeTrip[] = [];
  const navigations = new VirtualArrivals({
    network,
    model: () => model(clock.nowMs),
    onFinished,
    onArrived: (trip) => whole.push(trip),
    trueMps: (edge) => life.world.speedMps(edge),
  });
  const platform = new VirtualPlatform({
    ...{ network, clock, navigations, delayMaxMs: 300 },
    random: seededRandom(seed * 7_919 + 1),
    onIncident: () => undefined,
  });
  const roads = networkRoads(network);
  const life: CityLife = new CityLife(
    traffic === 'empty' ? paced(roads, pace) : withTraffic(roads, seed, pace, () => clock.nowMs),
    { drivers, seed, ...(world === undefined ? {} : { world }) },
    { client: platform, navigate: (...trip) => platform.navigate(...trip) },
    clock.nowMs,
  );
  for (let second = 0; second < minutes * 60; second++) {
    const nowMs = startMs + second * 1_000;
    await clock.runUntil(nowMs);
    life.tick(nowMs, 1);
  }
  return whole;
}

const paced = (roads: CityRoads, pace: number): CityRoads => ({
  ...roads,
  freeFlowKph: (edge) => roads.freeFlowKph(edge) * pace,
});

/** Speeds of the traffic of weeks, each kept for ten seconds. */
function withTraffic(roads: CityRoads, seed: number, pace: number, nowMs: () => number): CityRoads {
  const traffic = new TrueTraffic(roads, seed);
  const kept = new Map<number, { readonly untilMs: number; readonly kph: number }>();
  return {
    ...roads,
    freeFlowKph(edge) {
      if (roads.freeFlowKph(edge) <= 0) return 0;
      const now = nowMs();
      const known = kept.get(edge);
      if (known !== undefined && now < known.untilMs) return known.kph;
      const kph = (pace * roads.edgeLengthM(edge) * 3.6) / Math.max(0.01, traffic.meanS(edge, now));
      kept.set(edge, { untilMs: now + 10_000, kph });
      return kph;
    },
  };
}
