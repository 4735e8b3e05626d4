import type { Priority } from '../http-types.js';

/** Share of the slots that a class may use, so that higher classes always find free ones. */
const shares: Readonly<Record<Priority, number>> = {
  vital: Infinity,
  location: 1,
  navigation: 0.8,
  tile: 0.5,
};

/** Bounds the requests whose handlers run at the same time. */
export class InflightGate {
  #running = 0;
  readonly #places: number;

  constructor(places: number) {
    this.#places = places;
  }

  get running(): number {
    return this.#running;
  }

  enter(priority: Priority): boolean {
    if (this.#running >= this.#places * shares[priority]) return false;
    this.#running += 1;
    return true;
  }

  leave(): void {
    this.#running -= 1;
  }
}
