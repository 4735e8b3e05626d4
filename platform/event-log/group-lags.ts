import type { EventLog } from './event-log.js';

/** How far one consumer group is behind in one topic. */
export interface GroupLag {
  readonly group: string;
  readonly topic: string;
  /** Records behind the committed offsets, over all partitions. */
  readonly records: number;
}

type Offsets = Pick<EventLog, 'offsets' | 'committed'>;

/** The lags of these groups; a group that has committed nothing in a topic is left out. */
export async function groupLags(
  log: Offsets,
  groups: Iterable<string>,
  topics: Iterable<string>,
): Promise<readonly GroupLag[]> {
  const known = [...groups];
  const lags: GroupLag[] = [];
  for (const topic of topics) {
    const ends = await log.offsets(topic).catch(() => []);
    if (ends.length === 0) continue;
    const found = await Promise.all(known.map((group) => lagOf(log, group, topic, ends)));
    lags.push(...found.flatMap((lag) => lag ?? []));
  }
  return lags;
}

export async function lagOf(
  log: Pick<EventLog, 'committed'>,
  group: string,
  topic: string,
  ends: Awaited<ReturnType<EventLog['offsets']>>,
): Promise<GroupLag | undefined> {
  const committed = await log.committed(group, topic);
  const read = committed.filter(({ offset }) => offset >= 0);
  if (read.length === 0) return undefined;
  const endOf = new Map(ends.map(({ partition, end }) => [partition, end]));
  const behind = read.map(({ partition, offset }) => Math.max(0, (endOf.get(partition) ?? 0) - offset));
  return { group, topic, records: behind.reduce((all, one) => all + one, 0) };
}
