/** A simulated process. Once it is over, nothing that it waits for happens. */
export interface SimulatedProcess {
  isDead: boolean;
}

/** What belongs to no process: people, networks, disks. It never ends. */
export const outside: SimulatedProcess = { isDead: false };

/** Something that is due; it does not happen once it is cancelled. */
export interface Due {
  isCancelled: boolean;
}

interface Event extends Due {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
  readonly owner: SimulatedProcess;
}

/** Virtual time may take the place of these; the clock itself needs the real one. */
const nextTurn = setImmediate;

/**
 * Time that advances only when no work is left. What is due runs in order, and what promises continue with
 * runs before the next event. Database work is awaited before the next event. So a run depends on the seed
 * only.
 *
 * Each event belongs to a process, and so does everything that begins in it, up to the next event. A process
 * ends as by `kill -9`: between two events, with everything that it was waiting for.
 */
export class VirtualClock {
  readonly #events: Event[] = [];
  readonly #running = new Set<Promise<unknown>>();
  #order = 0;
  #owner = outside;
  /** Work outside of this process was awaited: its callbacks may need another turn of the event loop. */
  #goesOutside = false;
  nowMs: number;

  constructor(startMs: number) {
    this.nowMs = startMs;
  }

  /** The process that the present event belongs to. */
  get owner(): SimulatedProcess {
    return this.#owner;
  }

  /** The rest of the present event belongs to another process. */
  become(owner: SimulatedProcess): void {
    this.#owner = owner;
  }

  /** In whole milliseconds, as clocks have them. */
  at(afterMs: number, run: () => void, owner = this.#owner): Due {
    const atMs = this.nowMs + Math.max(0, Math.round(afterMs));
    const event: Event = { atMs, order: this.#order++, run, owner, isCancelled: false };
    this.#events.push(event);
    let child = this.#events.length - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!this.#before(child, parent)) break;
      this.#swap(child, parent);
      child = parent;
    }
    return event;
  }

  delay(ms: number): Promise<void> {
    return new Promise((resolve) => this.at(ms, resolve));
  }

  /** Time does not advance until the promise has settled. */
  async during<Result>(work: Promise<Result>): Promise<Result> {
    this.#goesOutside = true;
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
      if (event.isCancelled || event.owner.isDead) continue;
      this.nowMs = event.atMs;
      this.#owner = event.owner;
      event.run();
      await this.#settle();
    }
    this.nowMs = untilMs;
    this.#owner = outside;
  }

  async #settle(): Promise<void> {
    for (let calm = this.#goesOutside ? 0 : 1; calm < 2; calm += 1) {
      while (this.#running.size > 0) {
        calm = 0;
        await Promise.allSettled([...this.#running]);
      }
      await new Promise((resolve) => nextTurn(resolve));
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
