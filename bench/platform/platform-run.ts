import { seededRandom } from '#platform/random/random.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { Landmarks } from '#processors/reroute/landmarks.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { topics } from '#schemas/topics.js';
import { CityLife } from '#simulated-city/city-life.js';
import { networkRoads } from '#simulated-city/network-roads.js';
import type { ScenarioName } from '#simulated-city/scenarios.js';
import { SimulatedEventLog } from '../simulation/simulated-event-log.js';
import { SimulatedNetwork } from '../simulation/simulated-network.js';
import { SimulatedObjects } from '../simulation/simulated-objects.js';
import { VirtualClock } from '../simulation/virtual-clock.js';
import { inVirtualTime } from '../simulation/virtual-process.js';
import type { ClosureJudge } from '../streams/closure-judge.js';
import { type FaultName, faultsOf, noFaults } from './platform-faults.js';
import { type Broken, PlatformJudge } from './platform-judge.js';
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
  readonly onMinute?: (minute: number, sofar: Pick<PlatformJudge, 'broken' | 'closures'>) => void;
}

export interface PlatformRun {
  readonly broken: readonly Broken[];
  /** Of every record in the log: one seed, one digest. */
  readonly digest: string;
  readonly closures: Pick<ClosureJudge, 'found' | 'hidden' | 'observedEdges'>;
  readonly report: CityLife['report'];
  readonly counts: Readonly<Record<string, number>>;
  readonly complaints: ReadonlyMap<string, number>;
}

const secondMs = 1_000;
/** Time for the programs to start before the city wakes, and to come to rest after it. */
const startingMs = 3_000;
const restMs = 15_000;
const restsMax = 20;
const delayMaxMs = 300;

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
    ...{ clock, network, landmarks, codecs, followers: new Map(), complaints: new Map() },
    log: new SimulatedEventLog({
      ...{ ...stream(1), faults },
      onRecord: (topic, record) => judge.recorded(topic, record),
    }),
    objects: new SimulatedObjects(stream(2)),
    wires: new SimulatedNetwork({ ...stream(3), faults, delayMaxMs }),
  };
  const judge = new PlatformJudge(world);
  const programs = new Supervisor(world);
  await world.log.createTopics(topics);
  programs.startAll();
  await clock.runUntil(clock.nowMs + startingMs);
  Object.assign(faults, faultsOf(settings.faults));
  startFaults(world, programs, faults, random.fork(4));
  const life = new CityLife(
    networkRoads(network),
    { drivers, seed, scenario },
    simulatedPhones(world, judge),
    clock.nowMs,
  );
  for (let second = 1; second <= minutes * 60; second++) {
    life.tick(clock.nowMs, 1);
    judge.closures.look(life.world.closures, clock.nowMs);
    await clock.runUntil(clock.nowMs + secondMs);
    if (second % 60 === 0) onMinute?.(second / 60, judge);
  }
  Object.assign(faults, noFaults);
  // A version may be on its way at the end of a rest; then there is another one.
  for (let rests = 0; rests < restsMax; rests++) {
    await clock.runUntil(clock.nowMs + (rests === 0 ? restMs : secondMs));
    if (judge.metricsAgree()) break;
  }
  judge.end();
  life.close();
  const { closures, broken, routes, batches } = judge;
  const { kills, failedStarts } = programs;
  const { digest } = world.log;
  const counts = { kills, failedStarts, routes, batches, versions: judge.versions };
  return { broken, digest, closures, report: life.report, counts, complaints: world.complaints };
}
