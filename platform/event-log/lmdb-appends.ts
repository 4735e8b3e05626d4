import type { QueuedAppend, WrittenGroup } from './append-queue.js';
import type { RecordPosition } from './event-log.js';
import { type LogFiles, writeLog } from './log-files.js';
import { partitionOf } from './murmur2.js';
import { encodeRecord } from './record-bytes.js';

export interface LmdbAppendsOptions {
  readonly files: LogFiles;
  readonly clock: () => number;
  /** True: durable after the flush. False: after the commit, which outlives the process but not the machine. */
  readonly awaitFlush: boolean;
  /** Called when records became visible to readers. */
  readonly onVisible: (topic: string, partition: number) => void;
}

/** Writes a group of appends in one transaction. */
export async function writeGroup(
  options: LmdbAppendsOptions,
  group: readonly QueuedAppend[],
): Promise<WrittenGroup> {
  const { committed, flushed } = writeLog(options.files, () => group.map((append) => write(options, append)));
  const positions = await committed;
  for (const [index, { topic }] of group.entries()) {
    const partitions = new Set(positions[index]!.map(({ partition }) => partition));
    for (const partition of partitions) options.onVisible(topic, partition);
  }
  return { positions, durable: options.awaitFlush ? flushed : Promise.resolve() };
}

/** Inside the write transaction: the ends are read here, so that several processes may append to one log. */
function write(
  { files, clock }: LmdbAppendsOptions,
  { topic, partitionCount, records }: QueuedAppend,
): readonly RecordPosition[] {
  const now = clock();
  const states = new Map<number, [end: number, bytes: number]>();
  const positions = records.map((record): RecordPosition => {
    const partition = partitionOf(record.key, partitionCount);
    let state = states.get(partition);
    if (state === undefined) {
      const [end, bytes] = files.partitions.get([topic, partition]) ?? [0, 0];
      state = [end, bytes];
      states.set(partition, state);
    }
    const offset = state[0]++;
    const encoded = encodeRecord(record, offset, now);
    state[1] += encoded.length;
    files.records(topic, partition).putSync(offset, encoded);
    return { partition, offset };
  });
  for (const [partition, state] of states) files.partitions.putSync([topic, partition], state);
  return positions;
}
