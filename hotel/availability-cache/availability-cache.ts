import { CacheUnavailable, type LiveCache } from '#platform/live-cache/live-cache.js';
import type { InventoryChanged } from '#schemas/messages.js';
import { availabilityLimits } from './limits.js';

/** Counts of one room type on one day. */
export interface DayCounts {
  readonly totalInventory: number;
  readonly totalReserved: number;
  /** With overbooking and limits. */
  readonly soldAtMost: number;
}

const dayMs = 86_400_000;
const keyOf = (hotelId: string, roomTypeId: string, day: number) =>
  `rooms:${encodeURIComponent(hotelId)}/${encodeURIComponent(roomTypeId)}/${day}`;

/**
 * Counts by hotel, room type and day, as read from the topic. They may lag or be missing, so no reservation
 * depends on them. One process at a time writes the days of a room type: the member of the group that has
 * their partition.
 *
 * ```
 *  rooms:<hotel>/<room type>/<days since 1970>
 *    →  <event id> <total inventory> <total reserved> <sold at most>
 * ```
 */
export class AvailabilityCache {
  readonly #cache: LiveCache;
  readonly #nowMs: () => number;

  /** `nowMs`: Unix milliseconds. */
  constructor(cache: LiveCache, nowMs: () => number) {
    this.#cache = cache;
    this.#nowMs = nowMs;
  }

  /**
   * Takes events in any order and any number of times: a day keeps the state of the highest event id. Rejects
   * with `CacheUnavailable` if not everything was written; the same call may be repeated.
   */
  async apply(events: readonly InventoryChanged[]): Promise<void> {
    const newest = new Map<
      string,
      { readonly eventId: number; readonly day: number; readonly text: string }
    >();
    for (const { eventId, hotelId, roomTypeId, days, totalInventory, totalReserved, soldAtMost } of events) {
      for (const [index, day] of days.entries()) {
        const key = keyOf(hotelId, roomTypeId, day);
        const known = newest.get(key);
        if (known !== undefined && known.eventId > eventId) continue;
        newest.set(key, {
          eventId,
          day,
          // Events of earlier versions do not have it; then 110 % were sold everywhere.
          text: `${eventId} ${totalInventory[index]} ${totalReserved[index]} ${
            soldAtMost?.[index] ?? Math.floor((11 * totalInventory[index]!) / 10)
          }`,
        });
      }
    }
    const entries = [...newest];
    for (let at = 0; at < entries.length; at += availabilityLimits.writesAtOnce) {
      const some = entries.slice(at, at + availabilityLimits.writesAtOnce);
      await Promise.all(some.map(([key, { eventId, day, text }]) => this.#write(key, eventId, day, text)));
    }
  }

  /**
   * One for each of `days` (since 1970), in their order; undefined when one is missing or the cache is
   * unavailable.
   */
  async read(
    hotelId: string,
    roomTypeId: string,
    days: readonly number[],
  ): Promise<readonly DayCounts[] | undefined> {
    try {
      const texts = await Promise.all(days.map((day) => this.#cache.get(keyOf(hotelId, roomTypeId, day))));
      const counts = texts.flatMap((text) => parse(text)?.counts ?? []);
      return counts.length === days.length ? counts : undefined;
    } catch (error) {
      if (error instanceof CacheUnavailable) return undefined;
      throw error;
    }
  }

  async #write(key: string, eventId: number, day: number, text: string): Promise<void> {
    const goneMs = (day + availabilityLimits.pastDaysKept) * dayMs;
    const ttlMs = Math.min(goneMs - this.#nowMs(), availabilityLimits.ttlMsMax);
    if (ttlMs < 1) return;
    const present = parse(await this.#cache.get(key));
    if (present === undefined || present.eventId <= eventId) await this.#cache.set(key, text, ttlMs);
  }
}

function parse(
  text: string | undefined,
): { readonly eventId: number; readonly counts: DayCounts } | undefined {
  const parts = /^(\d{1,16}) (\d{1,9}) (\d{1,9}) (\d{1,9})$/.exec(text ?? '');
  if (parts === null) return undefined;
  const [eventId, totalInventory, totalReserved, soldAtMost] = parts.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
  ];
  return { eventId, counts: { totalInventory, totalReserved, soldAtMost } };
}
