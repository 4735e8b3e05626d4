import type { EventLog, PartitionOffsets } from './event-log.js';
import { type GroupLag, groupLags, lagOf } from './group-lags.js';

export interface WatchedLag extends GroupLag {
  /** When the newest record of the topic was appended, Unix milliseconds; null: none, or not known. */
  readonly newestMs: number | null;
}

export interface LagWatchOptions {
  readonly log: Pick<EventLog, 'offsets' | 'committed' | 'read'>;
  readonly groups: readonly string[];
  readonly topics: readonly string[];
  readonly nowMs: () => number;
}

/** An answer is shared for this long. */
const freshMs = 2_000;
/** Which groups read which topics is asked this often. */
const pairsKeptMs = 20_000;
const timeoutMs = 2_000;

type Pair = Pick<GroupLag, 'group' | 'topic'>;

/**
 * The lags of all groups, also of those in other processes. However many ask, the log is asked once in two
 * seconds, and only for the groups and topics that belong together.
 */
export class LagWatch {
  readonly #options: LagWatchOptions;
  #pairs: readonly Pair[] = [];
  #pairsAtMs = Number.NEGATIVE_INFINITY;
  #known: { readonly atMs: number; readonly lags: Promise<readonly WatchedLag[]> } | undefined;
  /** By topic and partition: the end of the log, and when the record before it was appended. */
  readonly #newest = new Map<string, { readonly end: number; readonly ms: number | null }>();

  constructor(options: LagWatchOptions) {
    this.#options = options;
  }

  /** Rejects if the log does not answer in two seconds. */
  lags(): Promise<readonly WatchedLag[]> {
    const nowMs = this.#options.nowMs();
    if (this.#known === undefined || nowMs - this.#known.atMs >= freshMs)
      this.#known = { atMs: nowMs, lags: withinMs(timeoutMs, this.#ask(nowMs)) };
    return this.#known.lags;
  }

  async #ask(nowMs: number): Promise<readonly WatchedLag[]> {
    const { log, groups, topics } = this.#options;
    if (nowMs - this.#pairsAtMs >= pairsKeptMs || this.#pairs.length === 0) {
      const lags = await groupLags(log, groups, topics);
      this.#pairs = lags.map(({ group, topic }) => ({ group, topic }));
      this.#pairsAtMs = nowMs;
    }
    const read = [...new Set(this.#pairs.map(({ topic }) => topic))];
    const each = await Promise.all(
      read.map(async (topic) => {
        const ends = await log.offsets(topic);
        const newestMs = await this.#newestOf(topic, ends);
        const pairs = this.#pairs.filter((pair) => pair.topic === topic);
        const lags = await Promise.all(pairs.map(({ group }) => lagOf(log, group, topic, ends)));
        return lags.flatMap((lag) => (lag === undefined ? [] : [{ ...lag, newestMs }]));
      }),
    );
    return each
      .flat()
      .toSorted((a, b) => b.records - a.records || (a.group + a.topic < b.group + b.topic ? -1 : 1));
  }

  async #newestOf(topic: string, ends: readonly PartitionOffsets[]): Promise<number | null> {
    const times = await Promise.all(
      ends.map((offsets) => this.#timeBefore(topic, offsets).catch(() => null)),
    );
    return times.reduce((last, ms) => (last === null ? ms : Math.max(last, ms ?? last)), null);
  }

  async #timeBefore(topic: string, { partition, earliest, end }: PartitionOffsets): Promise<number | null> {
    const key = `${topic} ${partition}`;
    const known = this.#newest.get(key);
    if (known?.end === end) return known.ms;
    let ms: number | null = null;
    if (end > earliest)
      for await (const { timestampMs } of this.#options.log.read(topic, partition, end - 1)) {
        ms = timestampMs;
        break;
      }
    this.#newest.set(key, { end, ms });
    return ms;
  }
}

async function withinMs<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The event log did not answer in ${ms / 1_000} s.`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
