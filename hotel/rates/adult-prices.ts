import type { SqlSession } from '#platform/sql/sql.js';
import { touchDays } from './ari-version.js';

export interface AdultPrice {
  /** In one room. */
  readonly adults: number;
  readonly percent: number;
  /** Added after the percentage; may be negative. */
  readonly amountMinor: bigint;
}

/** Replaces all adjustments of a room type. */
export async function setAdultPrices(
  tx: SqlSession,
  hotelId: string,
  roomTypeId: string,
  prices: readonly AdultPrice[],
  today: string,
): Promise<void> {
  await tx.query('DELETE FROM adult_price WHERE hotel_id = $1 AND room_type_id = $2', [hotelId, roomTypeId]);
  await tx.query(
    `INSERT INTO adult_price (hotel_id, room_type_id, adults, price_percent, price_amount_minor)
     SELECT $1, $2, p.* FROM unnest($3::smallint[], $4::smallint[], $5::bigint[]) p`,
    [
      hotelId,
      roomTypeId,
      prices.map(({ adults }) => adults),
      prices.map(({ percent }) => percent),
      prices.map(({ amountMinor }) => amountMinor),
    ],
  );
  await touchDays(tx, hotelId, [roomTypeId], today);
}
