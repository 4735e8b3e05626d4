import type { LiveCache } from '#platform/live-cache/live-cache.js';
import type { Hotel, HotelChange, HotelFacts, Room, RoomFacts } from './hotel.js';
import type { Attempt, Hotels } from './hotels.js';
import { staticLimits } from './limits.js';
import { LoadingCache } from './loading-cache.js';

const channel = 'hotel:static-changed';

export interface CachedHotelsDeps {
  readonly hotels: Hotels;
  /**
   * Notifies the other processes what to evict. Without it, or while it is unavailable, they evict after
   * `staticLimits.cacheTtlMs`.
   */
  readonly live: LiveCache;
  /** Milliseconds of a monotonic clock. */
  readonly nowMs: () => number;
  readonly ttlMs?: number;
}

/**
 * Caches hotels and rooms in memory. A change is visible in this process immediately, in others when they
 * receive the notification, at the latest after the time to live.
 */
export class CachedHotels implements Hotels {
  readonly #hotels: Hotels;
  readonly #live: LiveCache;
  readonly #byId: LoadingCache<Hotel>;
  readonly #rooms: LoadingCache<Room>;

  private constructor({ hotels, live, nowMs, ttlMs = staticLimits.cacheTtlMs }: CachedHotelsDeps) {
    this.#hotels = hotels;
    this.#live = live;
    this.#byId = new LoadingCache({ max: staticLimits.cachedHotels, ttlMs, nowMs });
    this.#rooms = new LoadingCache({ max: staticLimits.cachedRooms, ttlMs, nowMs });
  }

  static async open(deps: CachedHotelsDeps): Promise<{ readonly hotels: Hotels; close(): Promise<void> }> {
    const cached = new CachedHotels(deps);
    const stop = await deps.live
      .subscribe(channel, (message) => cached.#forget(message))
      .catch(() => async () => undefined);
    return { hotels: cached, close: stop };
  }

  async get(hotelId: string) {
    return this.#byId.get(hotelId, () => this.#hotels.get(hotelId));
  }

  async getRoom(hotelId: string, roomId: string) {
    // The rooms of a hotel are evicted with it.
    if ((await this.get(hotelId)) === undefined) return undefined;
    const key = keyOf(hotelId, roomId);
    return this.#rooms.get(key, () => this.#hotels.getRoom(hotelId, roomId));
  }

  create(facts: HotelFacts, attempt: Attempt) {
    return this.#hotels.create(facts, attempt);
  }

  update(hotelId: string, change: HotelChange, ifVersion?: bigint) {
    return this.#changing([hotelId], () => this.#hotels.update(hotelId, change, ifVersion));
  }

  delete(hotelId: string, ifVersion?: bigint) {
    return this.#changing([hotelId], () => this.#hotels.delete(hotelId, ifVersion));
  }

  createRoom(hotelId: string, facts: RoomFacts, attempt: Attempt) {
    return this.#hotels.createRoom(hotelId, facts, attempt);
  }

  updateRoom(hotelId: string, roomId: string, facts: RoomFacts, ifVersion?: bigint) {
    return this.#changing([hotelId, roomId], () =>
      this.#hotels.updateRoom(hotelId, roomId, facts, ifVersion),
    );
  }

  deleteRoom(hotelId: string, roomId: string, ifVersion?: bigint) {
    return this.#changing([hotelId, roomId], () => this.#hotels.deleteRoom(hotelId, roomId, ifVersion));
  }

  /** Also if the change fails, because its outcome may be unknown. */
  async #changing<Outcome>(ids: readonly string[], change: () => Promise<Outcome>): Promise<Outcome> {
    const message = JSON.stringify(ids);
    try {
      return await change();
    } finally {
      this.#forget(message);
      await this.#live.publish(channel, message).catch(() => undefined);
    }
  }

  #forget(message: string): void {
    const [hotelId = '', roomId] = JSON.parse(message) as readonly string[];
    if (roomId === undefined) this.#byId.forget(hotelId);
    else this.#rooms.forget(keyOf(hotelId, roomId));
  }
}

const keyOf = (hotelId: string, roomId: string) => JSON.stringify([hotelId, roomId]);
