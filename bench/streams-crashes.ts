import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EventLog } from '#platform/event-log/event-log.js';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { openTopicCodecs, type TopicCodecs } from '#platform/wire/topic-codecs.js';
import { topics } from '#schemas/topics.js';
import { seededRandom } from '#tools/city/random.js';
import { appendResult, spread } from './append-result.js';
import { crashInput } from './streams/crash-input.js';
import { compareOutputs, readOutputs } from './streams/crash-outputs.js';

/**
 * The group `traffic` is killed at random instants, again and again, while it reads; what it said is then compared, cell by
 * cell, with what one life says that nobody disturbs. Then: what do snapshots of the state cost, beside none?
 */
const kills = Number(process.env['KILLS'] ?? 100);
const rounds = Number(process.env['ROUNDS'] ?? 5);
const records = Number(process.env['RECORDS'] ?? 120_000);
const edges = Number(process.env['EDGES'] ?? 8_000);
const worker = fileURLToPath(new URL('./streams/crash-worker.js', import.meta.url));
const random = seededRandom(Number(process.env['SEED'] ?? 1));

interface World {
  readonly folder: string;
  readonly codecs: TopicCodecs;
  withLog<Result>(use: (log: EventLog) => Promise<Result>): Promise<Result>;
}

async function newWorld(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-crashes-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const codecs = await openTopicCodecs(await openSchemaRegistry(`embedded:${folder}/schemas`));
  return {
    folder,
    codecs,
    async withLog(use) {
      const log = await openEventLog(`embedded:${folder}/log?flush=background`);
      await log.createTopics(topics);
      try {
        return await use(log);
      } finally {
        await log.close();
      }
    },
  };
}

const append = ({ codecs, withLog }: World, input: ReturnType<typeof crashInput>): Promise<void> =>
  withLog(async (log) => {
    for (let i = 0; i < input.length; i += 1_000)
      await log.append(
        codecs.trafficEdgeObserved.topic.name,
        input
          .slice(i, i + 1_000)
          .map((message) => ({
            key: String(message.cell),
            value: codecs.trafficEdgeObserved.encode(message),
          })),
      );
  });

/** Undefined for a life that was killed before it had read everything. */
async function live({ folder }: World, snapshotEveryMs: number | null, killAfterMs?: number) {
  const child: ChildProcess = spawn(process.execPath, [worker, JSON.stringify({ folder, snapshotEveryMs })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  let timer: NodeJS.Timeout | undefined;
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    if (killAfterMs !== undefined && said.includes('begun'))
      timer ??= setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  });
  await once(child, 'close');
  clearTimeout(timer);
  const line = /^done (.*)$/m.exec(said);
  return line === null
    ? undefined
    : (JSON.parse(line[1]!) as { cpuS: number; counts: Record<string, number> });
}

const crashed = await newWorld();
const calm = await newWorld();
let killed = 0;
let written = 0;
const perLife = 3_000;
while (killed < kills) {
  // There is always more to read than one life can, so that every kill falls into work.
  const input = crashInput(edges, written, perLife, random);
  written += perLife;
  await append(crashed, input);
  await append(calm, input);
  if ((await live(crashed, 100, 50 + random.next() * 550)) === undefined) killed++;
}
await live(crashed, 100);
const whole = await live(calm, null);
const [after, batch] = [
  await crashed.withLog((log) => readOutputs(log, crashed.codecs)),
  await calm.withLog((log) => readOutputs(log, calm.codecs)),
];
const comparison = compareOutputs(after, batch);
console.error(JSON.stringify({ killed, written, ...comparison, batch: whole?.counts }));

const cost = { ratios: [] as number[], withSnapshots: [] as number[], without: [] as number[] };
const loads = [await newWorld(), await newWorld()] as const;
const load = crashInput(edges, 0, records, random);
for (const world of loads) await append(world, load);
for (let round = 0; round <= rounds; round++) {
  const cpu: number[] = [];
  for (const [i, every] of [5_000, null].entries()) {
    rmSync(`${loads[i]!.folder}/objects`, { recursive: true, force: true });
    cpu.push((await live(loads[i]!, every))!.cpuS);
  }
  console.error(`round ${round}: ${cpu.map((s) => s.toFixed(2)).join(' s with snapshots, without ')} s`);
  if (round === 0) continue;
  cost.ratios.push(cpu[0]! / cpu[1]!);
  cost.withSnapshots.push(records / cpu[0]!);
  cost.without.push(records / cpu[1]!);
}
const result = {
  log: 'embedded',
  kills: killed,
  records: written,
  edges,
  ...comparison,
  said: whole?.counts,
  cpuWithSnapshotsOverWithout: spread(cost.ratios),
  recordsPerCpuSecond: { withSnapshots: spread(cost.withSnapshots), without: spread(cost.without) },
};
console.log(JSON.stringify(result, undefined, 2));
if (comparison.cellsThatDiffer > 0) process.exit(1);
if (process.env['APPEND'] !== '0') appendResult('streams-crashes', result);
