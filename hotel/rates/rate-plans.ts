import { type SqlRow, type SqlSession, sqlState } from '#platform/sql/sql.js';
import { touchDays } from './ari-version.js';
import { type DayRange, isInCircle, type Meal, type RatePlan, ratePlanLimits } from './rate-plan.js';

export type PutPlanOutcome =
  | { readonly kind: 'saved' }
  /** It is derived from a plan that does not exist. */
  | { readonly kind: 'unknown-base' }
  /** Its derivation leads back to itself. */
  | { readonly kind: 'circle' }
  | { readonly kind: 'too-many' }
  /** On this night, this plan would cost nothing or less. */
  | { readonly kind: 'no-price-left'; readonly planId: string; readonly night: string };

/** Thrown to roll back a price that nobody can ask for. */
export class NoPriceLeft extends Error {
  readonly outcome: Extract<PutPlanOutcome, { readonly kind: 'no-price-left' }>;

  constructor(planId: string, night: string) {
    super('no-price-left');
    this.outcome = { kind: 'no-price-left', planId, night };
  }
}

/** The plans of a room type in the order of their ids. */
export async function ratePlansOf(
  sql: SqlSession,
  hotelId: string,
  roomTypeId: string,
): Promise<readonly RatePlan[]> {
  const { rows } = await sql.query(
    `SELECT p.*, (SELECT coalesce(jsonb_agg(jsonb_build_object('from', lower(v), 'to', upper(v) - 1) ORDER BY v), '[]')
       FROM unnest(p.valid) v) AS ranges
     FROM rate_plan p WHERE hotel_id = $1 AND room_type_id = $2 ORDER BY plan_id`,
    [hotelId, roomTypeId],
  );
  return rows.map(planOf);
}

/**
 * Adds or replaces a plan without faults. Reservations keep the prices and terms that they were sold under.
 * Rejects with `NoPriceLeft` to roll back.
 */
export async function putRatePlan(
  tx: SqlSession,
  hotelId: string,
  roomTypeId: string,
  plan: RatePlan,
  today: string,
): Promise<PutPlanOutcome> {
  await lockRoomType(tx, hotelId, roomTypeId);
  const plans = new Map((await ratePlansOf(tx, hotelId, roomTypeId)).map((one) => [one.planId, one.price]));
  if (!plans.has(plan.planId) && plans.size >= ratePlanLimits.plansMax) return { kind: 'too-many' };
  const { price } = plan;
  plans.set(plan.planId, price);
  if (price.kind === 'derived' && price.from !== null && !plans.has(price.from))
    return { kind: 'unknown-base' };
  if (isInCircle(plans, plan.planId)) return { kind: 'circle' };
  const derived = price.kind === 'derived' ? price : { from: null, percent: 100, amountMinor: 0n };
  await tx.query(
    `INSERT INTO rate_plan (hotel_id, room_type_id, plan_id, name, meal, refundable, free_cancel_hours,
       late_cancel_percent, valid, own_prices, derived_from, price_percent, price_amount_minor)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8,
       (SELECT coalesce(range_agg(daterange(f, t, '[]')), '{}') FROM unnest($9::date[], $10::date[]) r (f, t)),
       $11, $12, $13, $14)
     ON CONFLICT (hotel_id, room_type_id, plan_id) DO UPDATE SET name = excluded.name, meal = excluded.meal,
       refundable = excluded.refundable, free_cancel_hours = excluded.free_cancel_hours,
       late_cancel_percent = excluded.late_cancel_percent, valid = excluded.valid,
       own_prices = excluded.own_prices, derived_from = excluded.derived_from,
       price_percent = excluded.price_percent, price_amount_minor = excluded.price_amount_minor`,
    [
      ...[hotelId, roomTypeId, plan.planId, plan.name, plan.meal],
      ...[plan.refundable, plan.freeCancelHours, plan.lateCancelPercent],
      ...[plan.valid.map(({ from }) => from), plan.valid.map(({ to }) => to)],
      ...[price.kind === 'own', derived.from, derived.percent, derived.amountMinor],
    ],
  );
  await refuseLostPrices(tx, hotelId, [roomTypeId], today);
  await touchDays(tx, hotelId, [roomTypeId], today);
  return { kind: 'saved' };
}

/** `in-use`: another plan is derived from it. */
export async function deleteRatePlan(
  tx: SqlSession,
  hotelId: string,
  roomTypeId: string,
  planId: string,
  today: string,
): Promise<{ readonly kind: 'deleted' | 'unknown' | 'in-use' }> {
  await lockRoomType(tx, hotelId, roomTypeId);
  const { rows } = await tx.query(
    'SELECT FROM rate_plan WHERE hotel_id = $1 AND room_type_id = $2 AND derived_from = $3 LIMIT 1',
    [hotelId, roomTypeId, planId],
  );
  if (rows.length > 0) return { kind: 'in-use' };
  const { rowCount } = await tx.query(
    'DELETE FROM rate_plan WHERE hotel_id = $1 AND room_type_id = $2 AND plan_id = $3',
    [hotelId, roomTypeId, planId],
  );
  if (rowCount === 0) return { kind: 'unknown' };
  await touchDays(tx, hotelId, [roomTypeId], today);
  return { kind: 'deleted' };
}

/** Rejects with `NoPriceLeft` if a derived plan would cost nothing or less on a day from `today` on. */
export async function refuseLostPrices(
  tx: SqlSession,
  hotelId: string,
  roomTypeIds: readonly string[],
  today: string,
): Promise<void> {
  const { rows } = await tx.query<SqlRow & { readonly plan_id: string; readonly night: string }>(
    'SELECT n.* FROM unnest($2::text[]) t, night_without_price($1, t, $3) n LIMIT 1',
    [hotelId, roomTypeIds, today],
  );
  if (rows[0] !== undefined) throw new NoPriceLeft(rows[0].plan_id, rows[0].night);
}

/** Changes of the plans of a room type wait for each other: two of them could close a circle. */
async function lockRoomType(tx: SqlSession, hotelId: string, roomTypeId: string): Promise<void> {
  await tx.query('SELECT FROM room_type WHERE hotel_id = $1 AND room_type_id = $2 FOR NO KEY UPDATE', [
    hotelId,
    roomTypeId,
  ]);
}

const planOf = (row: SqlRow): RatePlan => ({
  planId: row['plan_id'] as string,
  name: row['name'] as string,
  meal: row['meal'] as Meal,
  refundable: row['refundable'] as boolean,
  freeCancelHours: row['free_cancel_hours'] as number,
  lateCancelPercent: row['late_cancel_percent'] as number,
  valid: row['ranges'] as readonly DayRange[],
  price:
    row['own_prices'] === true
      ? { kind: 'own' }
      : {
          kind: 'derived',
          from: row['derived_from'] as string | null,
          percent: row['price_percent'] as number,
          amountMinor: row['price_amount_minor'] as bigint,
        },
});

export const isUnknownPlan = (error: unknown): boolean => sqlState(error) === '23503';
