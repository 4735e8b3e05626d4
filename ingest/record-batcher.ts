import type { EventLog, NewRecord } from '#platform/event-log/event-log.js';
import { lingerMs, togetherRecordsMax } from './limits.js';

type Report = (failure: unknown) => void;

/**
 * Records of many requests appended by one call, so that a request costs the log an entry of an array and not
 * a call, a promise and a commit. Records of one turn of the event loop form a batch; under load, when turns
 * have several, it waits `lingerMs` for more. The server's running requests and the log's own queue bound the
 * number of waiting records.
 */
export class RecordBatcher {
  readonly #log: Pick<EventLog, 'append'>;
  readonly #topic: string;
  #records: NewRecord[] = [];
  #waiting: Report[] = [];
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

  /** Calls `report` once: with undefined when the record is durable, otherwise with the error of `append`. */
  add(record: NewRecord, report: Report): void {
    this.#unfinished++;
    this.#records.push(record);
    this.#waiting.push(report);
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
        for (const report of waiting) report(undefined);
      },
      (failure: unknown) => {
        this.#unfinished -= waiting.length;
        for (const report of waiting) report(failure);
      },
    );
  };
}
