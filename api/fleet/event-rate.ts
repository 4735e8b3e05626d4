const windowMs = 5_000;

/** Events per second over the last full window of five seconds; 0 after two windows without an event. */
export class EventRate {
  readonly #nowMs: () => number;
  #startedMs: number;
  #count = 0;
  #perSecond = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#startedMs = nowMs();
  }

  add(count: number): void {
    this.#turn();
    this.#count += count;
  }

  get perSecond(): number {
    this.#turn();
    return this.#perSecond;
  }

  #turn(): void {
    const nowMs = this.#nowMs();
    const elapsedMs = nowMs - this.#startedMs;
    if (elapsedMs < windowMs) return;
    this.#perSecond = elapsedMs < 2 * windowMs ? (this.#count * 1_000) / elapsedMs : 0;
    this.#count = 0;
    this.#startedMs = nowMs;
  }
}
