import { turnServedMin } from './limits.js';
import { ownCpuMs } from './own-cpu.js';

/**
 * How much work the present turn of the event loop has done since its first request. Requests that wait in
 * the kernel are invisible to any counter, but they all arrive in one turn: when the turn has used up its
 * budget, those that follow in it have waited at least that long. The work is the CPU time of this thread:
 * while the machine gives the CPU to others, time goes by without any, and to send requests away would spare
 * nothing. A few requests are no queue either.
 */
export class TurnClock {
  readonly #budgetMs: number;
  #startedAt = 0;
  #cpuAtStartMs = 0;
  #begun = 0;
  #isSpent = false;
  readonly #reset = () => {
    this.#begun = 0;
    this.#isSpent = false;
  };

  constructor(budgetMs: number) {
    this.#budgetMs = budgetMs;
  }

  /** Called once for each request of a turn: whether it comes too late in the turn. */
  isSpent(): boolean {
    this.#begun += 1;
    if (this.#begun === 1) {
      this.#startedAt = performance.now();
      this.#cpuAtStartMs = ownCpuMs();
      setImmediate(this.#reset);
    }
    if (this.#begun <= turnServedMin || this.#isSpent) return this.#isSpent;
    // No turn has more CPU time than elapsed time, and elapsed time is cheaper to read.
    this.#isSpent =
      performance.now() - this.#startedAt > this.#budgetMs &&
      ownCpuMs() - this.#cpuAtStartMs > this.#budgetMs;
    return this.#isSpent;
  }
}
