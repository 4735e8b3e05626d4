import { sentCrowdsMax } from '../limits.js';

/** Drivers who arrive at an edge within the same ten seconds meet there. */
const togetherMs = 10_000;
/** More edges than any tileset has; with the number of the ten seconds a key stays below 2^53. */
const edgesMax = 2 ** 25;

/** When a driver arrives at an edge of their route, Unix milliseconds. */
export interface Arrival {
  readonly edge: number;
  readonly atMs: number;
}

/**
 * Drivers whom we sent over each road, by their time of arrival there. Those who arrive together form a queue
 * that lets one through every headway:
 *
 * ```text
 *   headway 2 s        │ ten seconds: 7 drivers, the last leaves after 14 s │ ten seconds: 1 driver │ …
 *                                     ▲ one more, who comes after 4 s, waits 10 s
 * ```
 *
 * No metric includes drivers who were just sent. When their own points show the queue, it is too late to
 * avoid it.
 */
export class SentDrivers {
  readonly #headwayMs: number;
  readonly #crowds = new Map<number, number>();

  constructor(headwayMs: number) {
    this.#headwayMs = headwayMs;
  }

  /** Milliseconds that one more driver waits at the edge where most drivers arrive at the same time. */
  waitMs(arrivals: Iterable<Arrival>): number {
    let waitMs = 0;
    for (const arrival of arrivals) {
      const lastMs = (this.#crowds.get(keyOf(arrival)) ?? 0) * this.#headwayMs;
      waitMs = Math.max(waitMs, lastMs - (arrival.atMs % togetherMs));
    }
    return waitMs;
  }

  send(arrivals: Iterable<Arrival>, nowMs: number): void {
    if (this.#crowds.size >= sentCrowdsMax) this.#forget(nowMs);
    for (const arrival of arrivals) {
      const key = keyOf(arrival);
      this.#crowds.set(key, (this.#crowds.get(key) ?? 0) + 1);
    }
  }

  #forget(nowMs: number): void {
    const past = keyOf({ edge: 0, atMs: nowMs });
    for (const key of this.#crowds.keys()) if (key < past) this.#crowds.delete(key);
    // With this many entries, a single one does not matter.
    if (this.#crowds.size >= sentCrowdsMax) this.#crowds.clear();
  }
}

const keyOf = ({ edge, atMs }: Arrival): number => Math.floor(atMs / togetherMs) * edgesMax + edge;
