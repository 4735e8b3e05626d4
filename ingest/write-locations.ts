import type { Consumer, EventLog, RecordBatch } from '#platform/event-log/event-log.js';
import type { LocationStore } from '#platform/location-store/location-store.js';
import type { Logger } from '#platform/telemetry/logger.js';
import type { Metrics } from '#platform/telemetry/metrics.js';
import { type TopicCodec, UndecodableRecord } from '#platform/wire/topic-codec.js';
import type { LocationBatch } from '#schemas/location.js';
import type { DeadLetter } from '#schemas/messages.js';

const group = 'location-writer';

export interface LocationWriterPorts {
  readonly log: EventLog;
  readonly codec: TopicCodec<LocationBatch>;
  readonly deadLetters: TopicCodec<DeadLetter>;
  readonly store: Pick<LocationStore, 'write'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly nowMs: () => number;
}

/**
 * Copies every accepted batch from the log to the location store. The offset is committed after the store has the points,
 * and writing a point twice changes nothing: a crash repeats work and loses none. While the store is away the group lags;
 * the log keeps the batches.
 */
export async function startLocationWriter(ports: LocationWriterPorts): Promise<Consumer> {
  const { log, codec, store, logger, metrics } = ports;
  const written = metrics.counter('location_points_stored_total', 'Points written to the location store.');
  const undecodable = metrics.counter('location_records_undecodable_total', 'Records that were no batch.');

  async function onBatch(batch: RecordBatch): Promise<void> {
    const batches: LocationBatch[] = [];
    for (const { value, offset, key } of batch.records) {
      if (value === null) continue;
      try {
        batches.push(codec.decode(value));
      } catch (error) {
        if (!(error instanceof UndecodableRecord)) throw error;
        undecodable.add();
        await putAside(batch, { value, offset, key, cause: error.message });
      }
    }
    if (batches.length === 0) return;
    await store.write(batches);
    written.add(batches.reduce((sum, { points }) => sum + points.count, 0));
  }

  async function putAside(
    { topic, partition }: RecordBatch,
    record: { value: Uint8Array; offset: number; key: string; cause: string },
  ): Promise<void> {
    const letter = ports.deadLetters.encode({
      group,
      topic,
      partition,
      offset: record.offset,
      key: Buffer.from(record.key),
      value: record.value,
      cause: record.cause,
      attempts: 1,
      failedMs: ports.nowMs(),
    });
    await log.append(ports.deadLetters.topic.name, [{ key: `${topic}/${partition}`, value: letter }]);
  }

  return log.consume({
    group,
    topics: [codec.topic.name],
    startAt: 'earliest',
    onBatch,
    onError: (error) => logger.warn('location store is behind the log', { group, cause: error.message }),
  });
}
