import { mkdirSync, writeFileSync } from 'node:fs';
import type { RecordableHistogram } from 'node:perf_hooks';
import { appendResult } from './append-result.js';
import { closedLoop } from './ingest/closed-loop.js';
import { openIngestServer } from './ingest/ingest-server.js';
import { openLoop } from './ingest/open-loop.js';
import { plotSvg } from './ingest/plot-svg.js';
import { prepareRequests } from './ingest/prepare-requests.js';
import { processCpuSeconds, processResidentMib } from './process-cpu.js';

/**
 * What share of its capacity does ingest keep under three times the load? Its own capacity is found by a
 * closed loop; then an open loop sends three times that for a minute. Refusals must be answers, memory must
 * stay flat, and what was acknowledged must be in the log.
 */
const seconds = Number(process.env['SECONDS'] ?? 60);
const factor = Number(process.env['FACTOR'] ?? 3);
/** Large batches, so that the generator can offer a multiple of what the server takes from the other core. */
const pointsPerRequest = Number(process.env['POINTS'] ?? 300);
const connections = Number(process.env['CONNECTIONS'] ?? 1_000);
/**
 * Enough that the server is never idle while batches wait for their append, and few enough that it refuses
 * hardly any.
 */
const capacityConnections = Number(process.env['CAPACITY_CONNECTIONS'] ?? 256);

const ingest = openIngestServer();
const loggedBefore = await ingest.countLogged();
const requests = prepareRequests({
  form: 'json',
  tokens: ingest.tokens(20),
  users: 500,
  pointsPerRequest,
  nowMs: Date.now(),
});
let turn = 0;
const nextRequest = (): Buffer => requests[turn++ % requests.length]!;
const { child, port } = await ingest.start();
const capacityLoop = (loopSeconds: number) =>
  closedLoop({ port, connections: capacityConnections, seconds: loopSeconds, nextRequest });

let acknowledged = (await capacityLoop(5)).answers.get(202) ?? 0;
const alone = await capacityLoop(10);
acknowledged += alone.answers.get(202) ?? 0;
const capacity = (alone.answers.get(202) ?? 0) / alone.seconds;
console.error(`capacity: ${Math.round(capacity)} requests/s of ${pointsPerRequest} points`);

const residentMib: Array<readonly [number, number]> = [];
const startedAt = performance.now();
const sampler = setInterval(() => {
  residentMib.push([(performance.now() - startedAt) / 1_000, processResidentMib(child.pid!)]);
}, 500);
const [serverCpu, ownCpu] = [processCpuSeconds(child.pid!), process.cpuUsage()];
const load = await openLoop({ port, connections, perSecond: capacity * factor, seconds, nextRequest });
clearInterval(sampler);
const { user, system } = process.cpuUsage(ownCpu);
acknowledged += load.answers.get(202) ?? 0;
const serverCpuSeconds = processCpuSeconds(child.pid!) - serverCpu;
child.kill();
await new Promise((resolve) => child.once('close', resolve));
const inLog = (await ingest.countLogged()) - loggedBefore;
ingest.remove();

const percentiles = (histogram: RecordableHistogram) =>
  Object.fromEntries([50, 90, 99, 99.9].map((p) => [`p${p}`, histogram.percentile(p) / 1_000]));
const accepted = load.answers.get(202) ?? 0;
const refused = load.answers.get(503) ?? 0;
const late = residentMib.slice(Math.floor(residentMib.length / 3)).map(([, mib]) => mib);
const result = {
  adapter: (process.env['EVENT_LOG'] ?? 'embedded').split(':')[0],
  pointsPerRequest,
  connections,
  seconds,
  capacityPerSecond: Math.round(capacity),
  offeredPerSecond: Math.round(capacity * factor),
  answeredPerSecond: Math.round((accepted + refused) / seconds),
  goodputOverCapacity: Number((accepted / seconds / capacity).toFixed(3)),
  answers: Object.fromEntries(load.answers),
  notAnswered: load.overflowed,
  acceptedLatencyMs: percentiles(load.acceptedLatency),
  refusedLatencyMs: percentiles(load.refusedLatency),
  residentMib: {
    first: Math.round(late[0]!),
    greatest: Math.round(Math.max(...late)),
    last: Math.round(late.at(-1)!),
  },
  serverCpuSeconds,
  generatorCpuSeconds: (user + system) / 1e6,
  acknowledged,
  inLog,
};
console.log(JSON.stringify(result, undefined, 2));

const folder = 'docs/images';
mkdirSync(folder, { recursive: true });
const perSecond = (of: 'sent' | 'accepted' | 'refused') =>
  load.bySecond.slice(0, Math.floor(seconds)).map((second, i) => [i, second[of]] as const);
writeFileSync(
  `${folder}/ingest-overload.svg`,
  plotSvg(`Ingest at ${factor} times its capacity`, 'seconds', 'requests a second', [
    { name: 'due', colour: '#888', points: perSecond('sent') },
    { name: 'acknowledged', colour: '#0a7', points: perSecond('accepted') },
    { name: 'refused with 503', colour: '#c40', points: perSecond('refused') },
  ]),
);
writeFileSync(
  `${folder}/ingest-overload-memory.svg`,
  plotSvg('Resident memory under overload', 'seconds', 'MiB', [
    { name: 'ingest', colour: '#05c', points: residentMib },
  ]),
);
if (inLog < acknowledged) {
  console.error(`void: ${acknowledged} batches were acknowledged and ${inLog} are in the log`);
  process.exit(1);
}
appendResult('ingest-overload', result);
