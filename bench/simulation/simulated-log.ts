import type { NewRecord, RecordPosition } from '#platform/event-log/event-log.js';

interface Kept {
  readonly key: string;
  readonly value: Uint8Array;
  readonly eventId: string;
}

/** A log in memory, in one order for each topic, and where each group stands. */
export class SimulatedLog {
  readonly #topics = new Map<string, Kept[]>();
  readonly #offsets = new Map<string, number>();

  async append(topic: string, records: readonly NewRecord[]): Promise<readonly RecordPosition[]> {
    const kept = this.records(topic);
    return records.map(({ key, value, headers }) => {
      kept.push({ key, value: value ?? new Uint8Array(), eventId: headers?.['ce_id'] ?? '' });
      return { partition: 0, offset: kept.length - 1 };
    });
  }

  records(topic: string): Kept[] {
    let kept = this.#topics.get(topic);
    if (kept === undefined) {
      kept = [];
      this.#topics.set(topic, kept);
    }
    return kept;
  }

  next(group: string, topic: string, most: number): readonly Kept[] {
    const from = this.#offsets.get(`${group} ${topic}`) ?? 0;
    return this.records(topic).slice(from, from + most);
  }

  /** Negative numbers redeliver records. */
  move(group: string, topic: string, by: number): void {
    const key = `${group} ${topic}`;
    this.#offsets.set(key, Math.max(0, (this.#offsets.get(key) ?? 0) + by));
  }
}
