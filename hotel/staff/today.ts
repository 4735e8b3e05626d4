import type { SqlRow, SqlSession } from '#platform/sql/sql.js';
import type { Reservation } from '../reservations/reservation.js';
import { reservationOf } from '../reservations/reservation-row.js';

/** What the front desk has to do with a stay on a day. */
export type TodayList = 'arrivals' | 'departures' | 'in-house';

export interface TodayPage {
  /** On all pages together. */
  readonly total: number;
  /** Newest first; one more than asked for when there are more. */
  readonly found: readonly Reservation[];
}

/** The list of a stay on the day $2; a guest of an earlier first night may still come. */
const listOnDay = `CASE WHEN status = 'paid' THEN 'arrivals' WHEN end_date < $2::date THEN 'departures'
  ELSE 'in-house' END`;
const onDay = `hotel_id = $1 AND (status = 'checked_in'
  OR status = 'paid' AND $2::date BETWEEN start_date AND end_date)`;

/** In a transaction that is `repeatable read`, so that totals and pages agree. */
export async function todayOf(
  tx: SqlSession,
  { hotelId, today }: { readonly hotelId: string; readonly today: string },
  lists: readonly TodayList[],
  { before, limit }: { readonly before?: bigint | undefined; readonly limit: number },
): Promise<ReadonlyMap<TodayList, TodayPage>> {
  const { rows: totals } = await tx.query<{ readonly list: TodayList; readonly total: number }>(
    `SELECT ${listOnDay} AS list, count(*)::integer AS total FROM reservation WHERE ${onDay} GROUP BY 1`,
    [hotelId, today],
  );
  const { rows } = await tx.query<SqlRow & { readonly list: TodayList }>(
    `SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY list ORDER BY sequence DESC) AS place
       FROM (SELECT *, ${listOnDay} AS list FROM reservation WHERE ${onDay}) s
       WHERE list = ANY ($3) AND ($4::bigint IS NULL OR sequence < $4)) p
     WHERE place <= $5 ORDER BY sequence DESC`,
    [hotelId, today, lists, before ?? null, limit + 1],
  );
  return new Map(
    lists.map((list) => [
      list,
      {
        total: totals.find((row) => row.list === list)?.total ?? 0,
        found: rows.filter((row) => row.list === list).map(reservationOf),
      },
    ]),
  );
}
