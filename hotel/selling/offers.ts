import type { Sql, SqlSession } from '#platform/sql/sql.js';
import type { RoomType } from '../hotels/hotel.js';
import { nightPrices } from '../rates/night-prices.js';
import type { Meal } from '../rates/rate-plan.js';
import { ratePlansOf } from '../rates/rate-plans.js';
import type { Restricted } from '../reservations/reservations.js';
import { stayRefusal } from '../reservations/stay-refusal.js';
import { daysOf } from '../reservations/wanted-stay.js';

/** What a stay costs under one plan now, and its terms. */
export interface Offer {
  /** Null: the rate and the terms of the room type. */
  readonly planId: string | null;
  readonly name: string;
  readonly meal: Meal;
  readonly refundable: boolean;
  readonly freeCancelHours: number;
  readonly lateCancelPercent: number;
  readonly nights: ReadonlyArray<{ readonly date: string; readonly priceMinor: bigint | undefined }>;
  readonly restriction: Restricted | undefined;
}

/** The rate of the room type first, then its plans by id. */
export async function offersFor(
  sql: Sql,
  hotelId: string,
  type: RoomType,
  stay: { readonly startDate: string; readonly endDate: string; readonly adults?: number | undefined },
): Promise<readonly Offer[]> {
  return sql.transaction(
    async (tx) => {
      const { name, freeCancelHours, lateCancelPercent } = type;
      const standard = {
        planId: null,
        name,
        meal: 'none',
        refundable: true,
        freeCancelHours,
        lateCancelPercent,
      } as const;
      const offers: Offer[] = [];
      for (const terms of [standard, ...(await ratePlansOf(tx, hotelId, type.roomTypeId))])
        offers.push(await offerOf(tx, hotelId, type.roomTypeId, terms, stay));
      return offers;
    },
    { isolation: 'repeatable read' },
  );
}

async function offerOf(
  sql: SqlSession,
  hotelId: string,
  roomTypeId: string,
  terms: Omit<Offer, 'nights' | 'restriction'>,
  stay: { readonly startDate: string; readonly endDate: string; readonly adults?: number | undefined },
): Promise<Offer> {
  const { planId, name, meal, refundable, freeCancelHours, lateCancelPercent } = terms;
  const dates = daysOf(stay);
  const prices = await nightPrices(sql, hotelId, roomTypeId, dates, {
    ratePlanId: planId,
    adults: stay.adults,
  });
  return {
    ...{ planId, name, meal, refundable, freeCancelHours, lateCancelPercent },
    nights: dates.map((date) => ({ date, priceMinor: prices.get(date) })),
    restriction: await stayRefusal(sql, { hotelId, roomTypeId, ratePlanId: planId, ...stay }),
  };
}
