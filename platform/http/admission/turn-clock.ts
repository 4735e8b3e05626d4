import { turnServedMin } from '../limits.js';
import { ownCpuMs } from './own-cpu.js';

/**
 * The CPU time of the current turn of the event loop since its first request. No counter sees requests that
 * wait in the kernel, but they all arrive in one turn: when the turn has used its budget, the remaining
 * requests have waited at least that long. CPU time of this thread counts, because shedding saves nothing
 * while other processes use the CPU. A few requests are not a queue either.
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

  /** Called once for each request of a turn; true if the turn has used its budget. */
  isSpent(): boolean {
    this.#begun += 1;
    if (this.#begun === 1) {
      this.#startedAt = performance.now();
      this.#cpuAtStartMs = ownCpuMs();
      setImmediate(this.#reset);
    }
    if (this.#begun <= turnServedMin || this.#isSpent) return this.#isSpent;
    // CPU time never exceeds elapsed time, which is less expensive to read.
    this.#isSpent =
      performance.now() - this.#startedAt > this.#budgetMs &&
      ownCpuMs() - this.#cpuAtStartMs > this.#budgetMs;
    return this.#isSpent;
  }
}
