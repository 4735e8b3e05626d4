import type { AriSnapshotView } from '#schemas/http/hotel-ari.js';
import type { AriDay } from '#schemas/messages.js';
import { moneyText } from '../hotels/money-text.js';
import { addDays } from '../reservations/stay-days.js';

/** A day of a room type as snapshots and webhooks have it. */
export const ariDayView = (
  { roomTypeId, day, available, rates }: AriDay,
  currency: string,
): AriSnapshotView['days'][number] => ({
  roomTypeID: roomTypeId,
  date: addDays('1970-01-01', day),
  available,
  rates: rates.map(({ ratePlanId, priceMinor, maxStay, ...restrictions }) => ({
    ...(ratePlanId === '' ? {} : { ratePlanID: ratePlanId }),
    ...(priceMinor === 0 ? {} : { price: moneyText(BigInt(priceMinor), currency) }),
    ...restrictions,
    ...(maxStay === 0 ? {} : { maxStay }),
  })),
});
