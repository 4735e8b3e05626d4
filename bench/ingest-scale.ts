import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import { appendResult, spread } from './append-result.js';
import { openLoop } from './ingest/open-loop.js';
import { prepareRequests } from './ingest/prepare-requests.js';
import { Missing } from './missing.js';
import { processCpuSeconds } from './process-cpu.js';

/**
 * Does a point cost more when everything is doubled? One process over 8 partitions at a given rate, beside
 * two processes on one port over 16 partitions at twice that rate, in turns, all alive at once; the rate is
 * one that two cores bear, generator and broker included. Needs EVENT_LOG=kafka://….
 */
const address = process.env['EVENT_LOG'] ?? '';
if (!address.startsWith('kafka://'))
  throw new Missing('Set EVENT_LOG=kafka://host:port; infra/up prints it.');
const rounds = Number(process.env['ROUNDS'] ?? 6);
const seconds = Number(process.env['SECONDS'] ?? 5);
const ratePerProcess = Number(process.env['RATE'] ?? 4_000);
const connectionsPerProcess = 64;
const pointsPerRequest = Number(process.env['POINTS'] ?? 10);
const stamp = Date.now();
/** Below the ports that the kernel gives to clients. */
const firstPort = 20_000 + (process.pid % 10_000);
const script = fileURLToPath(new URL('./ingest/scaled-ingest-server.js', import.meta.url));
const doors: ChildProcess[] = [];
process.on('exit', () => {
  for (const door of doors) door.kill('SIGKILL');
});

interface Setup {
  readonly processes: number;
  readonly topic: string;
  readonly port: number;
  readonly pids: readonly number[];
}

async function start(processes: number): Promise<Setup> {
  const topic = `bench.scale.${stamp}.${processes}.v1`;
  const port = firstPort + processes;
  const pids: number[] = [];
  for (let i = 0; i < processes; i++) {
    const child = spawn(process.execPath, [script, topic, String(8 * processes), String(port)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    doors.push(child);
    child.once('exit', (code) => {
      if (code !== null && code !== 0) throw new Error(`a door ended with ${code}`);
    });
    await once(child.stdout, 'data');
    pids.push(child.pid!);
  }
  return { processes, topic, port, pids };
}

const setups = [await start(1), await start(2)] as const;
const users = Array.from({ length: 500 }, (_, i) => `user-${i}`);
const requests = prepareRequests({
  form: 'protobuf',
  tokens: users,
  users: users.length,
  pointsPerRequest,
  nowMs: stamp,
});
let turn = 0;
const acknowledged = new Map(setups.map(({ topic }) => [topic, 0]));
const cpuOf = ({ pids }: Setup): number[] => pids.map(processCpuSeconds);

async function measure(setup: Setup) {
  const before = cpuOf(setup);
  const { answers } = await openLoop({
    port: setup.port,
    connections: connectionsPerProcess * setup.processes,
    perSecond: ratePerProcess * setup.processes,
    seconds,
    nextRequest: () => requests[turn++ % requests.length]!,
  });
  const good = answers.get(202) ?? 0;
  acknowledged.set(setup.topic, acknowledged.get(setup.topic)! + good);
  const spent = cpuOf(setup).map((cpu, i) => cpu - before[i]!);
  const cpu = spent.reduce((sum, one) => sum + one, 0);
  return { microsPerPoint: (cpu * 1e6) / (good * pointsPerRequest), perSecond: good / seconds, spent };
}

const figures = { one: [] as number[], two: [] as number[], ratio: [] as number[] };
const perSecond = { one: [] as number[], two: [] as number[] };
const least: number[] = [];
for (let round = 0; round <= rounds; round++) {
  const [one, two] = [await measure(setups[0]), await measure(setups[1])];
  console.error(
    `round ${round}${round === 0 ? ' (warm-up)' : ''}: ` +
      `${one.microsPerPoint.toFixed(3)} us of CPU a point at ${Math.round(one.perSecond)} batches/s, ` +
      `doubled ${two.microsPerPoint.toFixed(3)} us at ${Math.round(two.perSecond)}`,
  );
  if (round === 0) continue;
  figures.one.push(one.microsPerPoint);
  figures.two.push(two.microsPerPoint);
  figures.ratio.push(two.microsPerPoint / one.microsPerPoint);
  perSecond.one.push(one.perSecond);
  perSecond.two.push(two.perSecond);
  least.push(Math.min(...two.spent) / Math.max(...two.spent));
}
const log = await openEventLog(address);
for (const [topic, count] of acknowledged) {
  const stored = (await log.offsets(topic)).reduce((sum, { end }) => sum + end, 0);
  if (stored < count)
    throw new Error(`void: ${count} batches were acknowledged and ${stored} are in ${topic}`);
}
await log.close();
const result = {
  pointsPerRequest,
  cpuMicrosPerPoint: {
    oneProcess8Partitions: spread(figures.one),
    twoProcesses16Partitions: spread(figures.two),
  },
  doubledOverSingle: spread(figures.ratio),
  batchesPerSecond: { one: spread(perSecond.one), two: spread(perSecond.two) },
  /** CPU of the less busy process over that of the other: how evenly the kernel spread the connections. */
  evenness: spread(least),
};
console.log(JSON.stringify(result, undefined, 2));
appendResult('ingest-scale', result);
process.exit();
