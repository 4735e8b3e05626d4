import type { EventLog } from '#platform/event-log/event-log.js';
import { type TopicCodec, UndecodableRecord } from '#platform/wire/topic-codec.js';
import type { MetricCustomized } from '#schemas/messages.js';

/** The last record is nearly always of the current tileset; after a change of the map, a few are not. */
const tailRecords = 256;

/** Newest version of a tileset's metric that the log has announced; 0 if there is none. */
export async function lastAnnounced(
  log: EventLog,
  codec: TopicCodec<MetricCustomized>,
  tilesetId: string,
): Promise<number> {
  const topic = codec.topic.name;
  let newest = 0;
  for (const { partition, earliest, end } of await log.offsets(topic)) {
    const tail = Math.max(earliest, end - tailRecords);
    for (const from of tail === earliest ? [earliest] : [tail, earliest]) {
      if (newest > 0) break;
      for await (const { value } of log.read(topic, partition, from)) {
        const announcement = value === null ? undefined : decoded(codec, value);
        if (announcement?.tilesetId === tilesetId) newest = Math.max(newest, announcement.version);
      }
    }
  }
  return newest;
}

function decoded(codec: TopicCodec<MetricCustomized>, value: Uint8Array): MetricCustomized | undefined {
  try {
    return codec.decode(value);
  } catch (error) {
    if (error instanceof UndecodableRecord) return undefined;
    throw error;
  }
}
