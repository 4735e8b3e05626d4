import type { Sql } from '#platform/sql/sql.js';
import { addDays, dayNumber, nightsBetween } from '../reservations/stay-days.js';
import type { AvailabilityCache, DayCounts } from './availability-cache.js';

export interface Night {
  readonly date: string;
  /** How many may be reserved now, overbooking included. */
  readonly rooms: number;
}

export type AvailabilityOutcome =
  | { readonly kind: 'nights'; readonly source: 'cache' | 'database'; readonly nights: readonly Night[] }
  | { readonly kind: 'not-bookable'; readonly dates: readonly string[] };

/**
 * Free rooms of each night from `startDate` to `endDate`, inclusive: from the cache if it has all of them,
 * else from the database.
 */
export async function readAvailability(
  deps: { readonly sql: Sql; readonly cache: AvailabilityCache },
  hotelId: string,
  roomTypeId: string,
  range: { readonly startDate: string; readonly endDate: string },
): Promise<AvailabilityOutcome> {
  const { startDate, endDate } = range;
  const dates = Array.from({ length: nightsBetween(startDate, endDate) }, (_, n) => addDays(startDate, n));
  const cached = await deps.cache.read(hotelId, roomTypeId, dates.map(dayNumber));
  if (cached !== undefined) {
    const nights = dates.map((date, index) => ({ date, rooms: freeRooms(cached[index]!) }));
    return { kind: 'nights', source: 'cache', nights };
  }
  const { rows } = await deps.sql.query(
    `SELECT date, total_inventory, total_reserved,
       rooms_sold_at_most(total_inventory, overbooking_percent, sell_limit) AS sold_at_most FROM room_type_inventory
     WHERE hotel_id = $1 AND room_type_id = $2 AND date BETWEEN $3 AND $4 ORDER BY date`,
    [hotelId, roomTypeId, startDate, endDate],
  );
  const counts = new Map(
    rows.map((row) => [
      row['date'] as string,
      {
        totalInventory: row['total_inventory'] as number,
        totalReserved: row['total_reserved'] as number,
        soldAtMost: row['sold_at_most'] as number,
      },
    ]),
  );
  const gaps = dates.filter((date) => !counts.has(date));
  if (gaps.length > 0) return { kind: 'not-bookable', dates: gaps };
  const nights = dates.map((date) => ({ date, rooms: freeRooms(counts.get(date)!) }));
  return { kind: 'nights', source: 'database', nights };
}

const freeRooms = ({ soldAtMost, totalReserved }: DayCounts): number =>
  Math.max(0, soldAtMost - totalReserved);
