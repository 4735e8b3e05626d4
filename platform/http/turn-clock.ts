/**
 * How long the present turn of the event loop has been running since its first request. Requests that wait in the kernel
 * are invisible to any counter, but they all arrive in one turn: when the turn has used up its budget, those that follow
 * in it have waited at least that long.
 */
export class TurnClock {
  #startedAt = Number.NaN;
  readonly #reset = () => {
    this.#startedAt = Number.NaN;
  };

  /** Milliseconds since the first call in this turn. */
  elapsedMs(): number {
    const now = performance.now();
    if (Number.isNaN(this.#startedAt)) {
      this.#startedAt = now;
      setImmediate(this.#reset);
      return 0;
    }
    return now - this.#startedAt;
  }
}
