import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LmdbEventLog } from '#platform/event-log/lmdb-event-log.js';
import { DirectoryObjectStore } from '#platform/object-store/directory-object-store.js';
import type { StreamGauges } from '#platform/stream/stream-gauges.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { openTopicCodecs } from '#platform/wire/topic-codecs.js';
import type { DeadLetter, NavigationProgress } from '#schemas/messages.js';
import { topics } from '#schemas/topics.js';

/** An embedded log, codecs and an object store of their own for one test. */
export async function streamWorld() {
  const folder = await mkdtemp(join(tmpdir(), 'stream-'));
  const log = await LmdbEventLog.open({ folder: join(folder, 'log') });
  const registry = await openSchemaRegistry(`embedded:${join(folder, 'schemas')}`);
  const codecs = await openTopicCodecs(registry);
  const objects = await DirectoryObjectStore.open(join(folder, 'objects'));
  await log.createTopics(topics);
  return {
    folder,
    log,
    codecs,
    registry,
    objects,
    deps: { log, deadLetters: codecs.deadLetter, objects },
    async appendProgress(progress: readonly NavigationProgress[]): Promise<void> {
      await log.append(
        'nav.progress.v1',
        progress.map((message) => ({ key: message.userId, value: codecs.navProgress.encode(message) })),
      );
    },
    async letters(): Promise<DeadLetter[]> {
      const letters: DeadLetter[] = [];
      for await (const { value } of log.read('dead.letter.v1', 0, 0))
        letters.push(codecs.deadLetter.decode(value!));
      return letters;
    },
    async close(): Promise<void> {
      await log.close();
      await registry.close();
      await objects.close();
      await rm(folder, { recursive: true });
    },
  };
}

export type StreamWorld = Awaited<ReturnType<typeof streamWorld>>;

export function progress(userId: string, timeMs: number): NavigationProgress {
  return { navigationId: 'n', userId, latE7: 1, lngE7: 2, timeMs };
}

/** Gauges that add up; `lag` and `watermark` keep the last value. */
export function countingGauges(): StreamGauges & { readonly figures: Map<string, number> } {
  const figures = new Map<string, number>();
  const add = (name: string, count: number): unknown => figures.set(name, (figures.get(name) ?? 0) + count);
  return {
    figures,
    records: (topic, count) => add(`records ${topic}`, count),
    dropped: (topic, reason) => add(`dropped ${topic} ${reason}`, 1),
    deadLettered: (topic) => add(`dead ${topic}`, 1),
    retried: (topic) => add(`retried ${topic}`, 1),
    lag: (topic, records) => figures.set(`lag ${topic}`, records),
    watermark: (eventTimeMs) => figures.set('watermark', eventTimeMs),
  };
}
