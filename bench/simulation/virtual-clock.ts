interface Event {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
}

/**
 * Time that advances only when no work is left. Database work is awaited before the next event, so a run
 * depends on the seed only.
 */
export class VirtualClock {
  readonly #events: Event[] = [];
  readonly #running = new Set<Promise<unknown>>();
  #order = 0;
  nowMs: number;

  constructor(startMs: number) {
    this.nowMs = startMs;
  }

  /** In whole milliseconds, as clocks have them. */
  at(afterMs: number, run: () => void): void {
    this.#events.push({ atMs: this.nowMs + Math.max(0, Math.round(afterMs)), order: this.#order++, run });
    let child = this.#events.length - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!this.#before(child, parent)) break;
      this.#swap(child, parent);
      child = parent;
    }
  }

  delay(ms: number): Promise<void> {
    return new Promise((resolve) => this.at(ms, resolve));
  }

  /** Time does not advance until the promise has settled. */
  async during<Result>(work: Promise<Result>): Promise<Result> {
    this.#running.add(work);
    try {
      return await work;
    } finally {
      this.#running.delete(work);
    }
  }

  async runUntil(untilMs: number): Promise<void> {
    await this.#settle();
    while ((this.#events[0]?.atMs ?? Number.POSITIVE_INFINITY) <= untilMs) {
      const event = this.#pop();
      this.nowMs = event.atMs;
      event.run();
      await this.#settle();
    }
    this.nowMs = untilMs;
  }

  async #settle(): Promise<void> {
    for (let calm = 0; calm < 2; calm += 1) {
      while (this.#running.size > 0) {
        calm = 0;
        await Promise.allSettled([...this.#running]);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #pop(): Event {
    const first = this.#events[0]!;
    const last = this.#events.pop()!;
    if (this.#events.length === 0) return first;
    this.#events[0] = last;
    let parent = 0;
    for (;;) {
      let least = parent;
      for (const child of [2 * parent + 1, 2 * parent + 2])
        if (child < this.#events.length && this.#before(child, least)) least = child;
      if (least === parent) return first;
      this.#swap(parent, least);
      parent = least;
    }
  }

  #before(one: number, other: number): boolean {
    const [a, b] = [this.#events[one]!, this.#events[other]!];
    return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
  }

  #swap(one: number, other: number): void {
    [this.#events[one], this.#events[other]] = [this.#events[other]!, this.#events[one]!];
  }
}
