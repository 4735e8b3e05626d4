import type { SqlSession } from '#platform/sql/sql.js';
import { stayPrice } from '../taxes/tax-lines.js';
import type { ChangedTerms } from './changed-terms.js';
import { withRooms } from './given-up-rooms.js';
import type { Reservation, SoldRatePlan } from './reservation.js';
import type { WantedStay } from './wanted-stay.js';

/** A stay as a change makes it, with its prices and terms. */
export interface ChangedStay extends WantedStay {
  readonly nightPricesMinor: readonly bigint[];
  readonly priceMinor: bigint;
  readonly guests: number | null;
  readonly freeCancelUntil: Date;
  readonly freeCancelHours: number | null;
  readonly lateCancelPercent: number;
  readonly refundable: boolean;
  readonly ratePlan: SoldRatePlan | null;
}

/** Undefined if a night has no price. */
export function changedStay(
  found: Reservation,
  wanted: WantedStay,
  { kind: _, nightPricesMinor, ...terms }: ChangedTerms,
): ChangedStay | undefined {
  const prices = nightPricesMinor.filter((price) => price !== undefined);
  if (prices.length < nightPricesMinor.length) return undefined;
  const { guests } = wanted.roomCount < found.roomCount ? withRooms(found, wanted.roomCount) : found;
  const stay = { ...wanted, ...terms, guests, nightPricesMinor: prices };
  return { ...stay, priceMinor: stayPrice({ ...found, ...stay }) };
}

/** Writes it into the reservation. Rooms that were assigned are assigned again for the new nights. */
export async function storeStay(
  tx: SqlSession,
  now: Date,
  reservationId: string,
  stay: ChangedStay,
  { grantedMinor }: { readonly grantedMinor: bigint },
) {
  await tx.query('DELETE FROM room_night WHERE reservation_id = $1', [reservationId]);
  const { rows } = await tx.query(
    `UPDATE reservation SET start_date = $2, end_date = $3, room_type_id = $4, room_count = $5,
       night_prices_minor = $6, price_minor = $7, refund_granted_minor = refund_granted_minor + $8,
       free_cancel_until = $9, free_cancel_hours = $10, late_cancel_percent = $11, refundable = $12,
       rate_plan_id = $13, rate_plan_name = $14, meal = $15, updated_at = $16, guests = $17
     WHERE reservation_id = $1 RETURNING *`,
    [
      reservationId,
      ...[stay.startDate, stay.endDate, stay.roomTypeId, stay.roomCount],
      ...[stay.nightPricesMinor, stay.priceMinor, grantedMinor],
      ...[stay.freeCancelUntil, stay.freeCancelHours, stay.lateCancelPercent, stay.refundable],
      ...[stay.ratePlan?.id ?? null, stay.ratePlan?.name ?? null, stay.ratePlan?.meal ?? null],
      ...[now, stay.guests],
    ],
  );
  return rows[0]!;
}

type StoredStay = Omit<ChangedStay, 'nightPricesMinor' | 'priceMinor' | 'freeCancelUntil'> & {
  readonly nightPricesMinor: readonly string[];
  readonly priceMinor: string;
  readonly freeCancelUntil: string;
};

export const stayText = (stay: ChangedStay): string =>
  JSON.stringify(stay, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

export function stayOf(stored: unknown): ChangedStay {
  const stay = stored as StoredStay;
  return {
    ...stay,
    nightPricesMinor: stay.nightPricesMinor.map(BigInt),
    priceMinor: BigInt(stay.priceMinor),
    freeCancelUntil: new Date(stay.freeCancelUntil),
  };
}
