import type { LatLng } from '#schemas/units.js';

/** A trip on which the platform guides a driver. */
export interface GuidedTrip {
  readonly id: string;
  readonly from: LatLng;
  readonly to: LatLng;
  readonly departedMs: number;
  /** When the driver came to the destination. */
  arrivedMs?: number;
}

/** A guided driver stood before a closed road. */
export interface BarrierMet {
  readonly driver: string;
  readonly edge: number;
  readonly atMs: number;
}

const keptMs = 10 * 60_000;
const barriersMax = 10_000;

/** Guided trips under way and of the last ten minutes, and the barriers that guided drivers met. */
export class TripLog {
  readonly #trips = new Map<string, GuidedTrip>();
  readonly #barriers: BarrierMet[] = [];

  depart(driver: string, from: LatLng, to: LatLng, departedMs: number): GuidedTrip {
    const trip = { id: `${driver}@${departedMs}`, from, to, departedMs };
    this.#trips.set(trip.id, trip);
    return trip;
  }

  arrive(trip: GuidedTrip, atMs: number): void {
    trip.arrivedMs = atMs;
    for (const { id, arrivedMs = atMs } of this.#trips.values())
      if (arrivedMs < atMs - keptMs) this.#trips.delete(id);
  }

  /** The guidance ended before the destination. */
  abandon({ id }: GuidedTrip): void {
    this.#trips.delete(id);
  }

  meetBarrier(met: BarrierMet): void {
    this.#barriers.push(met);
    this.#barriers.splice(0, this.#barriers.length - barriersMax);
  }

  /** Oldest first. */
  get trips(): readonly GuidedTrip[] {
    return [...this.#trips.values()];
  }

  /** Since that time, oldest first. */
  barriersSince(fromMs: number): readonly BarrierMet[] {
    return this.#barriers.filter(({ atMs }) => atMs >= fromMs);
  }
}
