import type { LogRecord, PartitionOffsets } from '../event-log/event-log.js';
import type { StreamLimits } from './limits.js';

export interface InputOrderOptions {
  /** In the order in which records of one second are handled. */
  readonly topics: readonly string[];
  /** Of the partition of the topic that we read. */
  readonly offsets: (topic: string) => Promise<PartitionOffsets>;
  /** The next offset that we handle; undefined if it is not known. */
  readonly next: (topic: string) => number | undefined;
  readonly limits: Pick<StreamLimits, 'liveMs' | 'orderWaitMaxMs'>;
  readonly clock: () => number;
  readonly signal: AbortSignal;
}

const secondMs = 1_000;

/**
 * Lets the inputs of one partition number take turns by the second of their records. It matters while they
 * catch up after a restart: a step must not see the locations of the last five minutes before the route that
 * a driver was given four minutes ago. Records of now need no turn, since the log brings them as they come.
 *
 *     nav.session.changed.v1        ●         ●  ← in hand
 *     location.batch.recorded.v1  ● ● ● ● ● ● ● ●
 *                                 handled     └ waits until the change before it is handled
 *
 * An input that has older records but does not bring them for `orderWaitMaxMs` is not waited for until it
 * brings some.
 */
export class InputOrder {
  readonly #options: InputOrderOptions;
  /** Second of the oldest records of each topic that are in hand, milliseconds. */
  readonly #inHand = new Map<string, number>();
  /** All records of a topic up to this time are handled. */
  readonly #completeMs = new Map<string, number>();
  readonly #stuck = new Set<string>();
  #changes = 0;
  #wake: Array<() => void> = [];

  constructor(options: InputOrderOptions) {
    this.#options = options;
  }

  /** Consecutive records of a batch that share a turn. */
  runs(records: readonly LogRecord[]): ReadonlyArray<readonly LogRecord[]> {
    if (this.#options.topics.length === 1) return [records];
    const runs: LogRecord[][] = [];
    let untilMs = Number.NEGATIVE_INFINITY;
    for (const record of records) {
      if (record.timestampMs >= untilMs) {
        runs.push([]);
        untilMs = secondOf(record.timestampMs) + secondMs;
      }
      runs.at(-1)!.push(record);
    }
    return runs;
  }

  /** Resolves when no other input has older records. `leave` must follow after the last run of a batch. */
  async turn(topic: string, timestampMs: number): Promise<void> {
    const { clock, limits, signal } = this.#options;
    this.#inHand.set(topic, secondOf(timestampMs));
    this.#stuck.delete(topic);
    this.#changed();
    if (timestampMs > clock() - limits.liveMs) return;
    const untilMs = clock() + limits.orderWaitMaxMs;
    for (;;) {
      const changes = this.#changes;
      const older = await this.#withOlder(topic);
      if (older.length === 0) return;
      if (this.#changes !== changes) continue;
      signal.throwIfAborted();
      const isChanged = await this.#changeWithin(untilMs - clock());
      signal.throwIfAborted();
      if (isChanged) continue;
      for (const other of older) if (!this.#inHand.has(other)) this.#stuck.add(other);
      return;
    }
  }

  leave(topic: string): void {
    this.#inHand.delete(topic);
    this.#changed();
  }

  async #withOlder(topic: string): Promise<readonly string[]> {
    const { topics, clock, offsets, next } = this.#options;
    const ourMs = this.#inHand.get(topic)!;
    const older: string[] = [];
    for (const [index, other] of topics.entries()) {
      if (other === topic) continue;
      const theirMs = this.#inHand.get(other);
      if (theirMs !== undefined) {
        if (theirMs < ourMs || (theirMs === ourMs && index < topics.indexOf(topic))) older.push(other);
        continue;
      }
      const from = next(other);
      const isComplete = (this.#completeMs.get(other) ?? Number.NEGATIVE_INFINITY) >= ourMs + secondMs;
      if (from === undefined || isComplete || this.#stuck.has(other)) continue;
      const nowMs = clock();
      const { earliest, end } = await offsets(other);
      if (Math.max(next(other) ?? end, earliest) >= end) this.#completeMs.set(other, nowMs);
      else older.push(other);
    }
    return older;
  }

  /** False when nothing changed in that time. */
  #changeWithin(ms: number): Promise<boolean> {
    const { signal } = this.#options;
    return new Promise((resolve) => {
      const end = (isChanged: boolean): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        resolve(isChanged);
      };
      const wake = (): void => end(true);
      const timer = setTimeout(end, Math.max(0, ms), false);
      this.#wake.push(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  #changed(): void {
    this.#changes++;
    const wake = this.#wake;
    this.#wake = [];
    for (const each of wake) each();
  }
}

const secondOf = (timestampMs: number): number => Math.floor(timestampMs / secondMs) * secondMs;
