import { sentEdgesMax } from '../limits.js';

/**
 * Drivers whom we sent over each road, as a queue at its end: one more for each who is sent, one less every headway. What
 * is known of a queue is when it will be empty:
 *
 * ```text
 *   headway 2 s      sent at 0 s, 0 s, 0 s       empty at 6 s       a fourth at 1 s waits 5 s
 * ```
 *
 * No metric knows of drivers who were sent a moment ago; their own points tell of the queue when it is too late to avoid.
 */
export class SentDrivers {
  readonly #headwayMs: number;
  readonly #emptyMs = new Map<number, number>();

  /** A lane lets about 1,800 cars an hour through: one every 2 s (Highway Capacity Manual, saturation flow). */
  constructor(headwayMs: number) {
    this.#headwayMs = headwayMs;
  }

  /** Milliseconds that one more driver waits at the fullest of these edges. */
  waitMs(edges: Iterable<number>, nowMs: number): number {
    let waitMs = 0;
    for (const edge of edges) waitMs = Math.max(waitMs, (this.#emptyMs.get(edge) ?? 0) - nowMs);
    return waitMs;
  }

  send(edges: Iterable<number>, nowMs: number): void {
    if (this.#emptyMs.size >= sentEdgesMax) this.#forget(nowMs);
    for (const edge of edges)
      this.#emptyMs.set(edge, Math.max(this.#emptyMs.get(edge) ?? 0, nowMs) + this.#headwayMs);
  }

  #forget(nowMs: number): void {
    for (const [edge, emptyMs] of this.#emptyMs) if (emptyMs <= nowMs) this.#emptyMs.delete(edge);
    // So many queues at once are no news of any of them.
    if (this.#emptyMs.size >= sentEdgesMax) this.#emptyMs.clear();
  }
}
