import type { QueuedAppend, WrittenGroup } from './append-batcher.js';
import type { RecordPosition } from './event-log.js';
import { type LogFiles, writeLog } from './log-files.js';
import { partitionOf } from './murmur2.js';
import { encodeRecord } from './record-bytes.js';

export interface LmdbAppendsOptions {
  readonly files: LogFiles;
  readonly clock: () => number;
  /**
   * True: durable after the flush. False: after the commit, which survives a crash of the process but not of
   * the machine.
   */
  readonly awaitFlush: boolean;
  /** Called when records became visible to readers. */
  readonly onVisible: (topic: string, partition: number) => void;
}

interface Partition {
  readonly topic: string;
  readonly partition: number;
  readonly records: ReturnType<LogFiles['records']>;
  end: number;
  bytes: number;
}

/** Writes a group of appends in one transaction. */
export async function writeGroup(
  options: LmdbAppendsOptions,
  group: readonly QueuedAppend[],
): Promise<WrittenGroup> {
  const { committed, flushed } = writeLog(options.files, () => write(options, group));
  const { positions, touched } = await committed;
  for (const { topic, partition } of touched) options.onVisible(topic, partition);
  return { positions, durable: options.awaitFlush ? flushed : Promise.resolve() };
}

/**
 * Inside the write transaction, because several processes may append to one log. The end of each partition is
 * read once, whatever the number of records.
 */
function write({ files, clock }: LmdbAppendsOptions, group: readonly QueuedAppend[]) {
  const now = clock();
  const byTopic = new Map<string, Array<Partition | undefined>>();
  const touched: Partition[] = [];
  const positions = group.map(({ topic, partitionCount, records }) => {
    let partitions = byTopic.get(topic);
    if (partitions === undefined) {
      partitions = new Array<Partition | undefined>(partitionCount).fill(undefined);
      byTopic.set(topic, partitions);
    }
    const found: RecordPosition[] = [];
    for (const record of records) {
      const partition = partitionOf(record.key, partitionCount);
      let state = partitions[partition];
      if (state === undefined) {
        const [end, bytes] = files.partitions.get([topic, partition]) ?? [0, 0];
        state = { topic, partition, records: files.records(topic, partition), end, bytes };
        partitions[partition] = state;
        touched.push(state);
      }
      const offset = state.end++;
      const encoded = encodeRecord(record, offset, now);
      state.bytes += encoded.length;
      state.records.putSync(offset, encoded);
      found.push({ partition, offset });
    }
    return found;
  });
  for (const { topic, partition, end, bytes } of touched)
    files.partitions.putSync([topic, partition], [end, bytes]);
  return { positions, touched };
}
