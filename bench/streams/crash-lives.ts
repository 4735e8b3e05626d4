import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventLog } from '#platform/event-log/event-log.js';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { openTopicCodecs, type TopicCodecs } from '#platform/wire/topic-codecs.js';
import { topics } from '#schemas/topics.js';
import type { crashInput } from './crash-input.js';

/** By its name, so that a test that runs from sources starts what was compiled; both run in the project's folder. */
const worker = ['--input-type=module', '-e', "import '#bench/streams/crash-worker.js';"];

/** A log, a registry and an object store in a folder of their own. */
export interface World {
  readonly folder: string;
  readonly codecs: TopicCodecs;
  remove(): void;
  withLog<Result>(use: (log: EventLog) => Promise<Result>): Promise<Result>;
}

export async function newWorld(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-crashes-'));
  const codecs = await openTopicCodecs(await openSchemaRegistry(`embedded:${folder}/schemas`));
  return {
    folder,
    codecs,
    remove: () => rmSync(folder, { recursive: true, force: true }),
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

/** One life of the group `traffic` in a process of its own. Undefined when it was killed before it had read everything. */
export async function live({ folder }: World, snapshotEveryMs: number | null, killAfterMs?: number) {
  const child: ChildProcess = spawn(
    process.execPath,
    [...worker, JSON.stringify({ folder, snapshotEveryMs })],
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
