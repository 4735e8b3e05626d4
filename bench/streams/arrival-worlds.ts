import { seededRandom } from '#platform/random/random.js';
import type { ArrivalModel } from '#routing-engine/arrival-times/arrival-model.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { ArrivalObserved } from '#schemas/messages.js';
import { CityLife } from '#simulated-city/city-life.js';
import { networkRoads } from '#simulated-city/network-roads.js';
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
}

export interface ArrivalPlatform {
  readonly model: (nowMs: number) => ArrivalModel | undefined;
  readonly onFinished: (trip: ArrivalObserved, endedMs: number) => void;
}

/** All trips that a driver was guided on from their start to their destination. */
export async function driveWorld(
  { network, seed, startMs, minutes, drivers }: ArrivalWorld,
  { model, onFinished }: ArrivalPlatform,
): Promise<readonly WholeTrip[]> {
  const clock = new VirtualClock(startMs);
  const whole: WholeTrip[] = [];
  const navigations = new VirtualArrivals({
    network,
    model: () => model(clock.nowMs),
    onFinished,
    onArrived: (trip) => whole.push(trip),
    trueMps: (edge) => life.world.meanKph(edge) / 3.6,
  });
  const platform = new VirtualPlatform({
    ...{ network, clock, navigations, delayMaxMs: 300 },
    random: seededRandom(seed * 7_919 + 1),
    onIncident: () => undefined,
  });
  const life: CityLife = new CityLife(
    networkRoads(network),
    { drivers, seed },
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
