import { seededRandom } from '#platform/random/random.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { CityLife } from '#simulated-city/city-life.js';
import { networkRoads } from '#simulated-city/network-roads.js';
import type { ScenarioName } from '#simulated-city/scenarios.js';
import type { WorldSettings } from '#simulated-city/world.js';
import { VirtualClock } from '../simulation/virtual-clock.js';
import { ClosureCheck, type FoundClosure, type HiddenAndFound } from './closure-check.js';
import { VirtualPlatform } from './virtual-platform.js';
import type { VirtualRoads } from './virtual-roads.js';

export interface CityRunSettings {
  readonly network: RoadNetwork;
  readonly seed: number;
  readonly startMs: number;
  readonly minutes: number;
  readonly drivers: number;
  readonly guidedShare?: number;
  readonly scenario?: ScenarioName;
  readonly delayMaxMs?: number;
  readonly world?: Partial<WorldSettings>;
  /** What an earlier run remembered, for a restart on its data. */
  readonly memory?: VirtualRoads['memory'];
  /** After each minute; the run ends there when it answers `false`. */
  readonly onMinute?: (minute: number, found: readonly FoundClosure[]) => boolean;
}

export interface CityRun {
  /** As many as were run. */
  readonly minutes: number;
  readonly found: readonly FoundClosure[];
  readonly hidden: readonly HiddenAndFound[];
  readonly memory: VirtualRoads['memory'];
  readonly report: CityLife['report'];
  readonly observedEdges: number;
}

/** The city and the platform in virtual time; listed closures are compared with the truth. */
export async function runCity(settings: CityRunSettings): Promise<CityRun> {
  const { network, seed, startMs, minutes, drivers, delayMaxMs = 300 } = settings;
  const clock = new VirtualClock(startMs);
  const random = seededRandom(seed * 7_919 + 1);
  const check = new ClosureCheck(network);
  const platform = new VirtualPlatform({
    ...{ network, clock, random, delayMaxMs },
    onIncident: (incident, nowMs) => check.hear(incident, nowMs),
    onObservations: (message) => check.observe(message),
  });
  if (settings.memory !== undefined) platform.roads.remember(settings.memory);
  const { guidedShare, scenario = 'usual', world } = settings;
  const life = new CityLife(
    networkRoads(network),
    {
      drivers,
      seed,
      scenario,
      ...(guidedShare === undefined ? {} : { guidedShare }),
      ...(world === undefined ? {} : { world }),
    },
    { client: platform, navigate: (...trip) => platform.navigate(...trip) },
    clock.nowMs,
  );
  let ran = minutes;
  for (let second = 0; second < minutes * 60; second++) {
    const nowMs = startMs + second * 1_000;
    await clock.runUntil(nowMs);
    life.tick(nowMs, 1);
    check.look(life.world.closures, nowMs);
    if (second % 60 === 59 && settings.onMinute?.((second + 1) / 60, check.found) === false) {
      ran = (second + 1) / 60;
      break;
    }
  }
  const { found, hidden, observedEdges } = check;
  return { minutes: ran, found, hidden, memory: platform.roads.memory, report: life.report, observedEdges };
}
