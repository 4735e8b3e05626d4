import { seededRandom } from '#platform/random/random.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { Landmarks } from '#processors/reroute/landmarks.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { topics } from '#schemas/topics.js';
import { CityLife } from '#simulated-city/city-life.js';
import { networkRoads } from '#simulated-city/network-roads.js';
import type { ScenarioName } from '#simulated-city/scenarios.js';
import { inVirtualTime } from '../simulation/in-virtual-time.js';
import { SimulatedEventLog } from '../simulation/simulated-event-log.js';
import { SimulatedNetwork } from '../simulation/simulated-network.js';
import { SimulatedObjects } from '../simulation/simulated-objects.js';
import { VirtualClock } from '../simulation/virtual-clock.js';
import type { ClosureCheck } from '../streams/closure-check.js';
import { Operator } from './operator.js';
import { type Broken, PlatformCheck } from './platform-check.js';
import { type FaultName, faultsOf, noFaults } from './platform-faults.js';
import type { PlatformWorld } from './platform-world.js';
import { simulatedPhones } from './simulated-phones.js';
import { startFaults } from './start-faults.js';
import { Supervisor } from './supervisor.js';

export interface PlatformRunSettings {
  readonly network: RoadNetwork;
  readonly landmarks: Landmarks;
  readonly codecs: TopicCodecs;
  readonly seed: number;
  readonly startMs: number;
  readonly minutes: number;
  readonly drivers: number;
  readonly scenario?: ScenarioName;
  readonly faults: readonly FaultName[];
  /** How many times as often as usual each fault happens; 1 when absent. */
  readonly faultScale?: number;
  readonly onMinute?: (minute: number, sofar: Pick<PlatformCheck, 'broken' | 'closures'>) => void;
}

export interface PlatformRun {
  readonly broken: readonly Broken[];
  /** Of every record in the log: one seed, one digest. */
  readonly digest: string;
  readonly closures: Pick<ClosureCheck, 'found' | 'hidden' | 'observedEdges'>;
  readonly report: CityLife['report'];
  readonly counts: Readonly<Record<string, number>>;
  readonly warnings: ReadonlyMap<string, number>;
}

const secondMs = 1_000;
/** Time for the programs to start before the city wakes, and to come to rest after it. */
const startingMs = 3_000;
const restMs = 15_000;
const restsMax = 20;
const restartMs = 1_000;
const delayMaxMs = 300;
const operatorEveryS = 30;

/**
 * The city and all programs of the platform in one process and in virtual time: phones, HTTP, ingest, the
 * log, the consumer groups, the object store and the gateway with its sockets. Only ports are exchanged.
 */
export function runPlatform(settings: PlatformRunSettings): Promise<PlatformRun> {
  const clock = new VirtualClock(settings.startMs);
  return inVirtualTime(clock, settings.seed, () => run(clock, settings));
}

async function run(clock: VirtualClock, settings: PlatformRunSettings): Promise<PlatformRun> {
  const { network, landmarks, codecs, seed, minutes, drivers, scenario = 'usual', onMinute } = settings;
  const random = seededRandom(seed);
  const stream = (number: number) => ({ clock, random: random.fork(number).next });
  const faults = { ...noFaults };
  const world: PlatformWorld = {
    ...{ clock, network, landmarks, codecs, followers: new Map(), warnings: new Map() },
    log: new SimulatedEventLog({
      ...{ ...stream(1), faults },
      onRecord: (topic, record) => check.recorded(topic, record),
    }),
    objects: new SimulatedObjects(stream(2)),
    phoneNetwork: new SimulatedNetwork({ ...stream(3), faults, delayMaxMs }),
  };
  const check = new PlatformCheck(world);
  const programs = new Supervisor(world);
  const operator = new Operator(world);
  const choices = random.fork(5);
  await world.log.createTopics(topics);
  programs.startAll();
  await clock.runUntil(clock.nowMs + startingMs);
  Object.assign(faults, faultsOf(settings.faults, settings.faultScale ?? 1));
  startFaults(world, programs, faults, random.fork(4));
  const life = new CityLife(
    networkRoads(network),
    { drivers, seed, scenario },
    simulatedPhones(world, check),
    clock.nowMs,
  );
  for (let second = 1; second <= minutes * 60; second++) {
    life.tick(clock.nowMs, 1);
    check.closures.look(life.world.closures, clock.nowMs);
    if (second % operatorEveryS === 0 && check.lastRoute !== undefined)
      void operator.close(choices.pick(check.lastRoute));
    await clock.runUntil(clock.nowMs + secondMs);
    if (second % 60 === 0) onMinute?.(second / 60, check);
  }
  Object.assign(faults, noFaults);
  await atRest(clock, check);
  check.atRest();
  programs.killAll(restartMs);
  await atRest(clock, check);
  check.atRest();
  check.end(operator.acknowledged);
  life.close();
  const { closures, broken, routes, batches } = check;
  const { kills, failedStarts } = programs;
  const { digest } = world.log;
  const incidents = operator.acknowledged.length;
  const counts = { kills, failedStarts, routes, batches, versions: check.versions, incidents };
  return { broken, digest, closures, report: life.report, counts, warnings: world.warnings };
}

/** A version may be on its way at the end of a rest; then there is another one. */
async function atRest(clock: VirtualClock, check: PlatformCheck): Promise<void> {
  for (let rests = 0; rests < restsMax; rests++) {
    await clock.runUntil(clock.nowMs + (rests === 0 ? restMs : secondMs));
    if (check.metricsAgree()) return;
  }
}
