import type { SqlRow, SqlSession } from '#platform/sql/sql.js';

/** Restrictions of a day, as people know them; what is absent does not restrict. */
export interface DayRestrictions {
  readonly stopSell?: true;
  /** No stay may arrive, or depart, on this day. */
  readonly closedToArrival?: true;
  readonly closedToDeparture?: true;
  /** Nights of a stay that arrives on this day. */
  readonly minStay?: number;
  readonly maxStay?: number;
}

/**
 * Columns for `restrictionsOf`, from the row `i` of the inventory. A departure is stored with the night
 * before it, which a reservation locks.
 */
export const dayRestrictions = `i.stop_sell, i.closed_to_arrival, i.min_stay, i.max_stay,
  coalesce((SELECT b.closed_after FROM room_type_inventory b WHERE b.hotel_id = i.hotel_id
    AND b.room_type_id = i.room_type_id AND b.date = i.date - 1), false) AS closed_to_departure`;

export const restrictionsOf = (row: SqlRow): DayRestrictions => ({
  ...(row['stop_sell'] === true ? { stopSell: true } : {}),
  ...(row['closed_to_arrival'] === true ? { closedToArrival: true } : {}),
  ...(row['closed_to_departure'] === true ? { closedToDeparture: true } : {}),
  ...((row['min_stay'] as number) > 1 ? { minStay: row['min_stay'] as number } : {}),
  ...(row['max_stay'] === null ? {} : { maxStay: row['max_stay'] as number }),
});

/** Days without restrictions are missing in the answer. */
export async function restrictionsOfDays(
  sql: SqlSession,
  hotelId: string,
  roomTypeId: string,
  range: { readonly startDate: string; readonly endDate: string },
): Promise<ReadonlyMap<string, DayRestrictions>> {
  const { rows } = await sql.query(
    `SELECT i.date, ${dayRestrictions} FROM room_type_inventory i
     WHERE i.hotel_id = $1 AND i.room_type_id = $2 AND i.date BETWEEN $3 AND $4`,
    [hotelId, roomTypeId, range.startDate, range.endDate],
  );
  const all = rows.map((row) => [row['date'] as string, restrictionsOf(row)] as const);
  return new Map(all.filter(([, restrictions]) => Object.keys(restrictions).length > 0));
}
