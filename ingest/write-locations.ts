import type { EventLog } from '#platform/event-log/event-log.js';
import type { LocationStore } from '#platform/location-store/location-store.js';
import { batches } from '#platform/stream/input.js';
import { metricsGauges } from '#platform/stream/metrics-gauges.js';
import { ok } from '#platform/stream/outcome.js';
import { type Processor, startProcessor } from '#platform/stream/start-processor.js';
import type { Logger } from '#platform/telemetry/logger.js';
import type { Metrics } from '#platform/telemetry/metrics.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { UserId } from '#schemas/units.js';

export interface LocationWriterPorts {
  readonly log: EventLog;
  readonly codecs: Pick<TopicCodecs, 'locationBatchRecorded' | 'deadLetter'>;
  readonly store: Pick<LocationStore, 'write' | 'erase'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** The consumer group that writes the location store. */
export const writerGroup = 'location-writer';

/** Not the fault of a batch: it is redelivered, however long the store is unavailable. */
class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
  readonly retriable = true;
}

/**
 * Copies every accepted batch from the log to the location store. The offset is committed after the store has
 * the points, and writing a point twice changes nothing: a crash repeats work and loses none. While the store
 * is unavailable the group waits and lags, for as long as it takes; a batch is never dead-lettered because of
 * the store. A tombstone of a user erases their history.
 */
export async function startLocationWriter(ports: LocationWriterPorts): Promise<Processor> {
  const { log, codecs, store, logger, metrics } = ports;
  const stored = metrics.counter('location_points_stored_total', 'Points written to the location store.');
  const erased = metrics.counter('location_histories_erased_total', 'Users whose history was erased.');
  return startProcessor(
    {
      group: writerGroup,
      startAt: 'earliest',
      inputs: [
        batches(
          codecs.locationBatchRecorded,
          async (records) => {
            const batch = records.map(({ message }) => message);
            await store.write(batch).catch((cause: unknown) => {
              throw new StoreUnavailable('The location store did not store a batch.', { cause });
            });
            stored.add(batch.reduce((sum, { points }) => sum + points.count, 0));
            return ok;
          },
          {
            // The user's erasure: earlier points are deleted, later ones stay (ADR 0031).
            onTombstone: async ({ key }) => {
              await store.erase(key as UserId).catch((cause: unknown) => {
                throw new StoreUnavailable('The location store did not apply an erasure.', { cause });
              });
              erased.add();
              return ok;
            },
          },
        ),
      ],
    },
    { log, deadLetters: codecs.deadLetter, logger, gauges: metricsGauges(metrics, writerGroup) },
  );
}
