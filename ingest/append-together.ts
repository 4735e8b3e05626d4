import type { EventLog, NewRecord } from '#platform/event-log/event-log.js';
import { lingerMs, togetherRecordsMax } from './limits.js';

type Tell = (failure: unknown) => void;

/**
 * Records of many requests appended by one call, so that a request costs the log an entry of an array and not
 * a call, a promise and a commit. What came in one turn of the event loop goes together; under load, when
 * turns bring several, it waits `lingerMs` for more. What may wait at all is bounded by the server's running
 * requests and by the log's own queue.
 */
export class AppendTogether {
  readonly #log: Pick<EventLog, 'append'>;
  readonly #topic: string;
  #records: NewRecord[] = [];
  #waiting: Tell[] = [];
  /** The size of the previous append: a single request does not wait for others that may not come. */
  #lastCount = 0;
  #unfinished = 0;

  constructor(log: Pick<EventLog, 'append'>, topic: string) {
    this.#log = log;
    this.#topic = topic;
  }

  /** Records that are not durable yet. */
  get waiting(): number {
    return this.#unfinished;
  }

  /** Calls `tell` once: with undefined when the record is durable, otherwise with the error of `append`. */
  add(record: NewRecord, tell: Tell): void {
    this.#unfinished++;
    this.#records.push(record);
    this.#waiting.push(tell);
    const count = this.#records.length;
    if (count === 1) {
      if (this.#lastCount > 1) setTimeout(this.#flush, lingerMs);
      else setImmediate(this.#flush);
    } else if (count === togetherRecordsMax) this.#flush();
  }

  readonly #flush = (): void => {
    const records = this.#records;
    if (records.length === 0) return;
    const waiting = this.#waiting;
    this.#records = [];
    this.#waiting = [];
    this.#lastCount = records.length;
    this.#log.append(this.#topic, records).then(
      () => {
        this.#unfinished -= waiting.length;
        for (const tell of waiting) tell(undefined);
      },
      (failure: unknown) => {
        this.#unfinished -= waiting.length;
        for (const tell of waiting) tell(failure);
      },
    );
  };
}
