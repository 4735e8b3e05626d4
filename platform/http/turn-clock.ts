import { turnServedMin } from './limits.js';

/**
 * How long the present turn of the event loop has been running since its first request. Requests that wait in the kernel
 * are invisible to any counter, but they all arrive in one turn: when the turn has used up its budget, those that follow
 * in it have waited at least that long. A few are no queue, though: where the machine gave the CPU to somebody else in the middle of the
 * first of two, to send the second away would spare nothing.
 */
export class TurnClock {
  readonly #budgetMs: number;
  #startedAt = 0;
  #begun = 0;
  readonly #reset = () => {
    this.#begun = 0;
  };

  constructor(budgetMs: number) {
    this.#budgetMs = budgetMs;
  }

  /** Asked once for each request of a turn: whether it comes too late in it. */
  isSpent(): boolean {
    const now = performance.now();
    this.#begun += 1;
    if (this.#begun === 1) {
      this.#startedAt = now;
      setImmediate(this.#reset);
    }
    return this.#begun > turnServedMin && now - this.#startedAt > this.#budgetMs;
  }
}
