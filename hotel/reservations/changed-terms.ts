import type { SqlRow, SqlSession } from '#platform/sql/sql.js';
import { nightPrices } from '../rates/night-prices.js';
import type { Meal } from '../rates/rate-plan.js';
import { withRooms } from './given-up-rooms.js';
import type { Reservation, SoldRatePlan } from './reservation.js';
import type { ChangeStayOutcome } from './reservations.js';
import { daysOf, isSameRate, type WantedStay } from './wanted-stay.js';

/** The prices and terms of a changed stay. */
export interface ChangedTerms {
  readonly kind: 'terms';
  /** Of one room; undefined where a night has no price. */
  readonly nightPricesMinor: ReadonlyArray<bigint | undefined>;
  readonly freeCancelUntil: Date;
  readonly freeCancelHours: number | null;
  readonly lateCancelPercent: number;
  readonly refundable: boolean;
  readonly ratePlan: SoldRatePlan | null;
}

/**
 * Under the same type and plan, the terms and the prices of unchanged nights stay as they were sold. Nothing
 * restores free cancellation once its last day has passed, or a reservation that was not refundable.
 */
export async function termsOfChange(
  tx: SqlSession,
  now: Date,
  found: Reservation,
  wanted: WantedStay,
): Promise<ChangedTerms | ChangeStayOutcome> {
  const place = await readPlace(tx, now, wanted);
  if (place === undefined) return { kind: 'unknown-room-type' };
  // A stay that has begun cannot be moved, and no stay can be moved into the past.
  if (found.startDate < place.today || wanted.startDate < place.today) return { kind: 'past' };
  if ((found.adults ?? 0) > place.capacity) return { kind: 'too-many-adults' };
  const sleeps = place.capacity * wanted.roomCount;
  // Rooms of the same type sleep as many as before, whatever its capacity is now.
  if (wanted.roomTypeId !== found.roomTypeId && peopleIn(found, wanted) > sleeps)
    return { kind: 'too-many-guests', sleeps };
  const same = isSameRate(found, wanted);
  if (!same && wanted.ratePlanId !== null && place.plan_name === null) return { kind: 'unknown-rate-plan' };
  const hours = same ? (found.freeCancelHours ?? place.type_hours) : place.free_cancel_hours;
  const percent = same ? found.lateCancelPercent : place.late_cancel_percent;
  const isFirm = now > found.freeCancelUntil;
  const wouldBe = new Date(place.check_in.getTime() - hours * 3_600_000);
  return {
    kind: 'terms',
    nightPricesMinor: await pricesOf(tx, found, wanted, same),
    freeCancelUntil: isFirm ? found.freeCancelUntil : place.refundable || same ? wouldBe : notAnyMore(now),
    freeCancelHours: hours,
    lateCancelPercent: isFirm ? Math.max(percent, found.lateCancelPercent) : percent,
    refundable: found.refundable && (same || place.refundable),
    ratePlan: same ? found.ratePlan : place.plan_name === null ? null : soldPlan(wanted, place),
  };
}

const peopleIn = (found: Reservation, { roomCount }: WantedStay): number =>
  (roomCount < found.roomCount ? withRooms(found, roomCount) : found).guests ?? 0;

const notAnyMore = (now: Date) => new Date(now.getTime() - 1_000);

const soldPlan = ({ ratePlanId }: WantedStay, { plan_name, meal }: PlaceRow): SoldRatePlan => ({
  id: ratePlanId!,
  name: plan_name!,
  meal: meal!,
});

/** Rooms that come in addition cost what they cost now: a night's price is then the average of all rooms. */
async function pricesOf(
  tx: SqlSession,
  found: Reservation,
  wanted: WantedStay,
  same: boolean,
): Promise<ReadonlyArray<bigint | undefined>> {
  const days = daysOf(wanted);
  const current = await nightPrices(tx, wanted.hotelId, wanted.roomTypeId, days, {
    ratePlanId: wanted.ratePlanId,
    adults: found.adults,
  });
  if (!same) return days.map((day) => current.get(day));
  const sold = new Map(daysOf(found).map((day, night) => [day, found.nightPricesMinor[night]!]));
  const more = BigInt(Math.max(0, wanted.roomCount - found.roomCount));
  return days.map((day) => {
    const before = sold.get(day);
    const price = current.get(day);
    if (before === undefined || more === 0n) return before ?? price;
    const rooms = BigInt(found.roomCount);
    return price === undefined ? undefined : (before * rooms + price * more) / (rooms + more);
  });
}

interface PlaceRow extends SqlRow {
  readonly today: string;
  readonly check_in: Date;
  readonly capacity: number;
  readonly type_hours: number;
  readonly free_cancel_hours: number;
  readonly late_cancel_percent: number;
  readonly refundable: boolean;
  readonly plan_name: string | null;
  readonly meal: Meal | null;
}

async function readPlace(tx: SqlSession, now: Date, wanted: WantedStay): Promise<PlaceRow | undefined> {
  const { rows } = await tx.query<PlaceRow>(
    `SELECT ($4::timestamptz AT TIME ZONE h.time_zone)::date AS today,
       ($5::date + h.check_in_time) AT TIME ZONE h.time_zone AS check_in, t.capacity,
       t.free_cancel_hours AS type_hours, coalesce(p.free_cancel_hours, t.free_cancel_hours) AS free_cancel_hours,
       coalesce(p.late_cancel_percent, t.late_cancel_percent) AS late_cancel_percent,
       coalesce(p.refundable, true) AS refundable, p.name AS plan_name, p.meal
     FROM hotel h JOIN room_type t USING (hotel_id)
       LEFT JOIN rate_plan p ON p.hotel_id = t.hotel_id AND p.room_type_id = t.room_type_id AND p.plan_id = $3
     WHERE h.hotel_id = $1 AND t.room_type_id = $2`,
    [wanted.hotelId, wanted.roomTypeId, wanted.ratePlanId, now, wanted.startDate],
  );
  return rows[0];
}
