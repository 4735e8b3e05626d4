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

/** A way ahead with its true duration; Infinity where it leads to a closed road. */
export interface WayAhead {
  readonly edges: readonly number[];
  readonly durationS: number;
}

/** A driver received another route on the way. */
export interface Rerouted {
  readonly driver: string;
  readonly atMs: number;
  readonly before: WayAhead;
  readonly after: WayAhead;
}

const keptMs = 10 * 60_000;
const keptMax = 10_000;

/**
 * Guided trips under way and of the last ten minutes, the barriers that guided drivers met, and the routes
 * that they received on the way.
 */
export class TripLog {
  readonly #trips = new Map<string, GuidedTrip>();
  readonly #barriers: BarrierMet[] = [];
  readonly #reroutes: Rerouted[] = [];

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
    keep(this.#barriers, met);
  }

  reroute(rerouted: Rerouted): void {
    keep(this.#reroutes, rerouted);
  }

  /** Oldest first. */
  get trips(): readonly GuidedTrip[] {
    return [...this.#trips.values()];
  }

  /** Since that time, oldest first. */
  barriersSince(fromMs: number): readonly BarrierMet[] {
    return this.#barriers.filter(({ atMs }) => atMs >= fromMs);
  }

  /** Since that time, oldest first. */
  reroutesSince(fromMs: number): readonly Rerouted[] {
    return this.#reroutes.filter(({ atMs }) => atMs >= fromMs);
  }
}

/** Adds an event, and drops those that are too old or too many. */
function keep<Event extends { readonly atMs: number }>(events: Event[], event: Event): void {
  events.push(event);
  const fresh = events.findIndex(({ atMs }) => atMs >= event.atMs - keptMs);
  events.splice(0, Math.max(fresh, events.length - keptMax));
}
