/**
 * Event time up to which the inputs of one partition number are complete: the least of what its topics have
 * reached. A silent topic does not hold back the others, times far ahead of our clock do not count, and the
 * watermark never goes back.
 */
export class Watermark {
  readonly #idleMs: number;
  readonly #futureMaxMs: number;
  readonly #topics = new Map<string, { reachedMs: number; heardMs: number }>();
  #valueMs: number;

  constructor(
    limits: { readonly idleMs: number; readonly futureMaxMs: number },
    valueMs = Number.NEGATIVE_INFINITY,
  ) {
    this.#idleMs = limits.idleMs;
    this.#futureMaxMs = limits.futureMaxMs;
    this.#valueMs = valueMs;
  }

  get valueMs(): number {
    return this.#valueMs;
  }

  observe(topic: string, eventTimeMs: number, nowMs: number): void {
    const topicMark = this.#topics.get(topic);
    const believed = eventTimeMs <= nowMs + this.#futureMaxMs ? eventTimeMs : Number.NEGATIVE_INFINITY;
    if (topicMark === undefined) this.#topics.set(topic, { reachedMs: believed, heardMs: nowMs });
    else {
      topicMark.reachedMs = Math.max(topicMark.reachedMs, believed);
      topicMark.heardMs = nowMs;
    }
    this.advance(nowMs);
  }

  /** Call it periodically, so that a silent topic does not hold back the others. */
  advance(nowMs: number): void {
    let least = Number.POSITIVE_INFINITY;
    for (const { reachedMs, heardMs } of this.#topics.values()) {
      if (nowMs - heardMs < this.#idleMs) least = Math.min(least, reachedMs);
    }
    if (least !== Number.POSITIVE_INFINITY) this.#valueMs = Math.max(this.#valueMs, least);
  }

  isIdle(nowMs: number): boolean {
    return [...this.#topics.values()].every(({ heardMs }) => nowMs - heardMs >= this.#idleMs);
  }
}
