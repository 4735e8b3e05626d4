import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import type { EventLog } from '#platform/event-log/event-log.js';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { openTopicCodecs } from '#platform/wire/topic-codecs.js';
import { compiledFile } from '#platform/worker-pool/compiled-file.js';
import type { TopicContract } from '#schemas/topics.js';
import type { crashInput } from './crash-input.js';
import { type CrashCodecs, ownTopics, topicsOf } from './crash-topics.js';

/**
 * By its name, so that a test that runs from sources starts what was compiled; both run in the project's
 * folder.
 */
const worker = [compiledFile('bench/streams/crash-worker.js')];

/** Topics, a registry and an object store of their own; the log too, unless `BENCH_LOG` names one. */
export interface World {
  readonly folder: string;
  /** Behind the names of topics and groups, so that worlds share a broker. */
  readonly suffix: string;
  readonly logAddress: string;
  readonly codecs: CrashCodecs;
  remove(): Promise<void>;
  withLog<Result>(use: (log: EventLog) => Promise<Result>): Promise<Result>;
}

export async function newWorld(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-crashes-'));
  const suffix = `.${basename(folder)}`;
  const registered = await openTopicCodecs(await openSchemaRegistry(`embedded:${folder}/schemas`));
  const codecs = ownTopics(registered, suffix);
  const logAddress = process.env['BENCH_LOG'] ?? `embedded:${folder}/log?flush=background`;
  return {
    ...{ folder, suffix, logAddress, codecs },
    async remove() {
      rmSync(folder, { recursive: true, force: true });
      if (logAddress.startsWith('kafka://')) await deleteTopics(logAddress, topicsOf(codecs));
    },
    async withLog(use) {
      const log = await openEventLog(logAddress);
      await log.createTopics(topicsOf(codecs));
      try {
        return await use(log);
      } finally {
        await log.close();
      }
    },
  };
}

async function deleteTopics(address: string, topics: readonly TopicContract[]): Promise<void> {
  const brokers = address.slice('kafka://'.length).split(',');
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  await admin.deleteTopics({ topics: topics.map(({ name }) => name) });
  await admin.disconnect();
}

/** As the matcher would append them. */
export const appendInput = (
  { codecs, withLog }: World,
  input: ReturnType<typeof crashInput>,
): Promise<void> =>
  withLog(async (log) => {
    for (let i = 0; i < input.length; i += 1_000)
      await log.append(
        codecs.trafficEdgeObserved.topic.name,
        input.slice(i, i + 1_000).map((message) => ({
          key: String(message.cell),
          value: codecs.trafficEdgeObserved.encode(message),
        })),
      );
  });

/**
 * One life of the group `traffic` in a process of its own. Undefined when it was killed before it had read
 * everything. A `round` is a group by itself, that begins with the first record.
 */
export async function live(
  { folder, suffix, logAddress }: World,
  snapshotEveryMs: number | null,
  killAfterMs?: number,
  round = '',
) {
  const group = `traffic${suffix}${round}`;
  const child: ChildProcess = spawn(
    process.execPath,
    [...worker, JSON.stringify({ folder, suffix, logAddress, group, snapshotEveryMs })],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
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
