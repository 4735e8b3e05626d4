import type { SqlRow, SqlSession } from '#platform/sql/sql.js';

interface NightRow extends SqlRow {
  readonly night: string;
  readonly price_minor: bigint;
}

/**
 * The current price of one room on each of `days`, in minor units of the hotel's currency: the rate of the
 * day, adjusted by the step for the hotel's occupancy on that day. A day without a rate is missing in the
 * answer.
 */
export async function nightPrices(
  sql: SqlSession,
  hotelId: string,
  roomTypeId: string,
  days: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await sql.query<NightRow>('SELECT night, price_minor FROM night_prices($1, $2, $3)', [
    hotelId,
    roomTypeId,
    days,
  ]);
  return new Map(rows.map((row) => [row.night, row.price_minor]));
}
