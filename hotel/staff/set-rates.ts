import type { SqlSession } from '#platform/sql/sql.js';
import type { Fault } from '../hotels/check-facts.js';
import type { Hotel } from '../hotels/hotel.js';
import { minorOf } from '../hotels/money-text.js';
import { touchDays } from '../rates/ari-version.js';
import { refuseLostPrices } from '../rates/rate-plans.js';
import { isDay, nightsBetween } from '../reservations/stay-days.js';

export interface Rates {
  /** Price of one room for each night from `from` to `to`, inclusive; a decimal of the hotel's currency. */
  readonly rates?: readonly {
    readonly roomTypeID: string;
    readonly from: string;
    readonly to: string;
    readonly price: string;
  }[];
  /** Replaces all steps: from this occupancy on, prices are this percentage of the rate. */
  readonly steps?: readonly { readonly fromOccupancyPercent: number; readonly pricePercent: number }[];
}

const daysMax = 800;
/** So that the price of the longest stay is an exact JSON number. */
const priceMinorEnd = 1_000_000_000_000n;

/** What a schema cannot say of rates. */
export function rateFaults({ rates = [], steps = [] }: Rates, hotel: Hotel): readonly Fault[] {
  const types = new Set(hotel.roomTypes.map(({ roomTypeId }) => roomTypeId));
  const faults: Fault[] = [];
  for (const [index, { roomTypeID, from, to, price }] of rates.entries()) {
    const pointer = `/rates/${index}`;
    if (!types.has(roomTypeID))
      faults.push({ pointer: `${pointer}/roomTypeID`, message: 'is not a room type of this hotel' });
    const days = isDay(from) && isDay(to) ? nightsBetween(from, to) : 0;
    if (days < 1 || days > daysMax)
      faults.push({ pointer: `${pointer}/to`, message: `must be 0 to ${daysMax - 1} days after from` });
    const minor = minorOf(price, hotel.currency);
    if (minor === undefined || minor >= priceMinorEnd)
      faults.push({
        pointer: `${pointer}/price`,
        message: `must be a positive decimal of ${hotel.currency}`,
      });
  }
  if (new Set(steps.map((step) => step.fromOccupancyPercent)).size < steps.length)
    faults.push({ pointer: '/steps', message: 'must each start at a different occupancy' });
  return faults;
}

/**
 * Sets rates without faults, all or none; a later entry for the same day wins. Rejects with `NoPriceLeft` if
 * a derived plan would cost nothing or less.
 */
export async function setRates(
  tx: SqlSession,
  hotel: Hotel,
  { rates = [], steps }: Rates,
  today: string,
): Promise<void> {
  for (const { roomTypeID, from, to, price } of rates) {
    await tx.query(
      `INSERT INTO room_type_rate (hotel_id, room_type_id, date, price_minor)
       SELECT $1, $2, $3::date + d, $5 FROM generate_series(0, $4::date - $3::date) d
       ON CONFLICT (hotel_id, room_type_id, date) DO UPDATE SET price_minor = EXCLUDED.price_minor`,
      [hotel.hotelId, roomTypeID, from, to, minorOf(price, hotel.currency)!],
    );
  }
  const types = [...new Set(rates.map(({ roomTypeID }) => roomTypeID))].toSorted();
  if (types.length > 0) await refuseLostPrices(tx, hotel.hotelId, types, today);
  const repriced = steps === undefined ? types : hotel.roomTypes.map(({ roomTypeId }) => roomTypeId);
  await touchDays(tx, hotel.hotelId, repriced, today);
  if (steps === undefined) return;
  await tx.query('DELETE FROM rate_step WHERE hotel_id = $1', [hotel.hotelId]);
  if (steps.length === 0) return;
  await tx.query(
    'INSERT INTO rate_step (hotel_id, from_occupancy_percent, price_percent) SELECT $1, s.* FROM unnest($2::smallint[], $3::smallint[]) s',
    [hotel.hotelId, steps.map((step) => step.fromOccupancyPercent), steps.map((step) => step.pricePercent)],
  );
}
