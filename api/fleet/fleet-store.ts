import type { LocationBatch } from '#schemas/location.js';
import { E7 } from '#schemas/units.js';
import * as limits from '../http/limits.js';
import { EventRate } from './event-rate.js';

export interface DriverPosition {
  readonly id: string;
  readonly lat: number;
  readonly lng: number;
  /** Degrees clockwise from north; null when the phone did not say. */
  readonly heading: number | null;
  /** Unix milliseconds. */
  readonly timestamp: number;
}

interface DriverEntry {
  readonly lastSeenMs: number;
  readonly position: DriverPosition;
}

/**
 * The last position of each driver. The map keeps drivers in the order of their last position, so the oldest
 * is the first entry. Entries older than a minute are found without reading the others.
 */
export class FleetStore {
  readonly #drivers = new Map<string, DriverEntry>();
  readonly #nowMs: () => number;
  readonly #points: EventRate;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#points = new EventRate(nowMs);
  }

  apply({ userId, points }: LocationBatch): void {
    this.#points.add(points.count);
    const newest = newestPoint(points.timeMs, points.count);
    if (newest < 0) return;
    const timestamp = points.timeMs[newest]!;
    const before = this.#drivers.get(userId);
    // A batch that was buffered in a tunnel may come after a newer one.
    if (before !== undefined && before.position.timestamp > timestamp) return;
    const heading = points.headingDeg?.[newest] ?? Number.NaN;
    this.#drivers.delete(userId);
    this.#drivers.set(userId, {
      lastSeenMs: this.#nowMs(),
      position: {
        id: userId,
        lat: points.latE7[newest]! / E7,
        lng: points.lngE7[newest]! / E7,
        // Rounded to the stored precision.
        heading: Number.isNaN(heading) ? null : Math.round(heading * 10) / 10,
        timestamp,
      },
    });
    if (this.#drivers.size > limits.driversMax) this.#drivers.delete(this.#drivers.keys().next().value!);
  }

  /** Drivers with a position in the last minute. */
  get size(): number {
    this.#forget();
    return this.#drivers.size;
  }

  get pointsPerSecond(): number {
    return this.#points.perSecond;
  }

  latest(limit: number): DriverPosition[] {
    this.#forget();
    const all = [...this.#drivers.values()];
    return all.slice(Math.max(0, all.length - limit)).map(({ position }) => position);
  }

  #forget(): void {
    const oldestMs = this.#nowMs() - limits.driverShownMs;
    for (const [id, { lastSeenMs }] of this.#drivers) {
      if (lastSeenMs >= oldestMs) break;
      this.#drivers.delete(id);
    }
  }
}

function newestPoint(timeMs: Float64Array, count: number): number {
  let newest = -1;
  for (let index = 0; index < count; index += 1)
    if (newest < 0 || timeMs[index]! >= timeMs[newest]!) newest = index;
  return newest;
}
