import type { SqlRow, SqlSession } from '#platform/sql/sql.js';

interface NightRow extends SqlRow {
  readonly night: string;
  readonly price_minor: bigint;
}

export interface PricedFor {
  /** Absent or null: the rate of the room type. */
  readonly ratePlanId?: string | null | undefined;
  /** In each room. */
  readonly adults?: number | null | undefined;
}

/**
 * The current price of one room on each of `days`, in minor units of the hotel's currency: the rate of the
 * day by plan and adults, adjusted by the step for the hotel's occupancy on that day. A day without a rate is
 * missing in the answer.
 */
export async function nightPrices(
  sql: SqlSession,
  hotelId: string,
  roomTypeId: string,
  days: readonly string[],
  { ratePlanId = null, adults = null }: PricedFor = {},
): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await sql.query<NightRow>(
    'SELECT night, price_minor FROM night_prices($1, $2, $3, $4, $5)',
    [hotelId, roomTypeId, days, ratePlanId, adults],
  );
  return new Map(rows.map((row) => [row.night, row.price_minor]));
}
