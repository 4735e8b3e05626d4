import type { SqlRow, SqlSession } from '#platform/sql/sql.js';
import type { AriDay, AriRate } from '#schemas/messages.js';
import { dayRestrictions } from '../rates/day-restrictions.js';
import { dayNumber } from '../reservations/stay-days.js';

/** Days of room types of one hotel: `types[i]` on `days[i]`, `YYYY-MM-DD`. */
export interface AskedDays {
  readonly types: readonly string[];
  readonly days: readonly string[];
}

/**
 * What may be sold on these days now, by room type and day. Days without inventory are missing. Each day is
 * at least as new as the moment of the call.
 */
export async function ariState(
  sql: SqlSession,
  hotelId: string,
  { types, days }: AskedDays,
): Promise<readonly AriDay[]> {
  const values = [hotelId, types, days];
  const { rows } = await sql.query(
    `SELECT i.room_type_id, i.date, i.total_reserved,
       rooms_sold_at_most(i.total_inventory, i.overbooking_percent, i.sell_limit) AS sold_at_most, ${dayRestrictions}
     FROM unnest($2::text[], $3::date[]) q (type, day)
     JOIN room_type_inventory i ON i.hotel_id = $1 AND i.room_type_id = q.type AND i.date = q.day
     ORDER BY i.room_type_id, i.date`,
    values,
  );
  const rates = await ratesOf(sql, values);
  return rows.map((row) => {
    const roomTypeId = row['room_type_id'] as string;
    const date = row['date'] as string;
    const free = (row['sold_at_most'] as number) - (row['total_reserved'] as number);
    return {
      roomTypeId,
      day: dayNumber(date),
      available: Math.max(0, free),
      rates: (rates.get(`${roomTypeId} ${date}`) ?? []).map((rate) => together(row, rate)),
    };
  });
}

/** By room type and date; the first one is that of the room type. */
async function ratesOf(
  sql: SqlSession,
  values: ReadonlyArray<string | readonly string[]>,
): Promise<ReadonlyMap<string, readonly SqlRow[]>> {
  const { rows } = await sql.query(
    `WITH asked AS (
       SELECT type, array_agg(day) AS days FROM unnest($2::text[], $3::date[]) q (type, day) GROUP BY type),
     rate AS (
       SELECT type, days, NULL::text AS plan_id FROM asked UNION ALL
       SELECT type, days, plan_id FROM asked JOIN rate_plan p ON p.hotel_id = $1 AND p.room_type_id = type)
     SELECT r.type, day AS date, r.plan_id, n.price_minor, d.stop_sell, d.closed_to_arrival, d.min_stay, d.max_stay,
       b.closed_after AS closed_to_departure
     FROM rate r CROSS JOIN LATERAL unnest(r.days) day
       LEFT JOIN LATERAL night_prices($1, r.type, r.days, r.plan_id) n ON n.night = day
       LEFT JOIN rate_plan_day d ON (d.hotel_id, d.room_type_id, d.plan_id, d.date) = ($1, r.type, r.plan_id, day)
       LEFT JOIN rate_plan_day b ON (b.hotel_id, b.room_type_id, b.plan_id, b.date) = ($1, r.type, r.plan_id, day - 1)
     ORDER BY r.type, day, r.plan_id NULLS FIRST`,
    values,
  );
  const found = new Map<string, SqlRow[]>();
  for (const row of rows) {
    const key = `${row['type']} ${row['date']}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, [row]);
    else known.push(row);
  }
  return found;
}

/** The stricter one of the room type and the plan. */
function together(type: SqlRow, plan: SqlRow): AriRate {
  const either = (column: string) => type[column] === true || plan[column] === true;
  const most = [type['max_stay'], plan['max_stay']].filter((nights) => typeof nights === 'number');
  return {
    ratePlanId: (plan['plan_id'] ?? '') as string,
    priceMinor: Number(plan['price_minor'] ?? 0),
    stopSell: either('stop_sell'),
    closedToArrival: either('closed_to_arrival'),
    closedToDeparture: either('closed_to_departure'),
    minStay: Math.max(type['min_stay'] as number, (plan['min_stay'] ?? 1) as number),
    maxStay: most.length === 0 ? 0 : Math.min(...most),
  };
}
