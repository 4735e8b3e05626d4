import type { LogRecord, TopicPartition } from '../event-log/event-log.js';
import { type TopicCodec, UndecodableRecord } from '../wire/topic-codec.js';
import type { StreamRecord } from './input.js';
import { deadLetter, type Outcome } from './outcome.js';

/** A value under a new schema is decoded again after a refresh from the registry. */
export async function decodeRecord(
  codec: TopicCodec<unknown>,
  { topic, partition }: TopicPartition,
  { value, ...record }: LogRecord,
): Promise<StreamRecord<unknown> | Outcome> {
  const place = { topic, partition, ...record };
  if (value === null) return { ...place, message: undefined };
  for (let refreshed = false; ; refreshed = true) {
    try {
      return { ...place, message: codec.decode(value) };
    } catch (error) {
      if (!(error instanceof UndecodableRecord)) throw error;
      if (refreshed || !(await codec.refresh().catch(() => false))) return deadLetter('undecodable', error);
    }
  }
}
