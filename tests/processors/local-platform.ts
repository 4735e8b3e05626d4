import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventLog } from '#platform/event-log/event-log.js';
import { LmdbEventLog } from '#platform/event-log/lmdb-event-log.js';
import { DirectoryObjectStore } from '#platform/object-store/directory-object-store.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { EmbeddedSchemaRegistry } from '#platform/wire/embedded-schema-registry.js';
import type { TopicCodec } from '#platform/wire/topic-codec.js';
import { openTopicCodecs, type TopicCodecs } from '#platform/wire/topic-codecs.js';
import { topics } from '#schemas/topics.js';

/** A real log, registry and object store in a separate folder. */
export interface LocalPlatform {
  readonly log: EventLog;
  readonly codecs: TopicCodecs;
  readonly objects: ObjectStore;
  append<Message>(codec: TopicCodec<Message>, key: string, message: Message): Promise<void>;
  /** Every message of a topic, partition by partition. */
  read<Message>(codec: TopicCodec<Message>): Promise<Message[]>;
  close(): Promise<void>;
}

export async function openLocalPlatform(): Promise<LocalPlatform> {
  const folder = await mkdtemp(join(tmpdir(), 'processors-'));
  const log = await LmdbEventLog.open({ folder: join(folder, 'log'), flush: 'background' });
  const registry = await EmbeddedSchemaRegistry.open(join(folder, 'schemas'));
  const codecs = await openTopicCodecs(registry);
  const objects = await DirectoryObjectStore.open(join(folder, 'objects'));
  await log.createTopics(topics);
  return {
    ...{ log, codecs, objects },
    async append(codec, key, message) {
      await log.append(codec.topic.name, [{ key, value: codec.encode(message) }]);
    },
    async read(codec) {
      const messages = [];
      for (let partition = 0; partition < codec.topic.partitions; partition++)
        for await (const { value } of log.read(codec.topic.name, partition, 0))
          if (value !== null) messages.push(codec.decode(value));
      return messages;
    },
    async close() {
      await log.close();
      await registry.close();
      await objects.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** The common options of every group. */
export function groupDeps({ log, codecs, objects }: LocalPlatform) {
  return { log, codecs, objects, logger: silentLogger, metrics: createMetrics() };
}
