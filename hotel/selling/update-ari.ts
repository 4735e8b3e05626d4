import { type SqlSession, type SqlValue, sqlState } from '#platform/sql/sql.js';
import { raiseVersions, touchDays } from '../rates/ari-version.js';
import { isUnknownPlan, NoPriceLeft, refuseLostPrices } from '../rates/rate-plans.js';
import { addDays, nightsBetween } from '../reservations/stay-days.js';
import { type AriUpdate, hasRules } from './ari-update.js';

export type AriOutcome =
  | { readonly kind: 'applied' }
  /** Days of these room types that are not in the inventory. */
  | { readonly kind: 'not-bookable'; readonly dates: readonly string[] }
  | { readonly kind: 'unknown-plan' }
  /** A minimum stay would be above the maximum stay. */
  | { readonly kind: 'stay-bounds' }
  | NoPriceLeft['outcome'];

/**
 * Applies the updates in their order, a later one wins, in the caller's transaction; what is refused rejects
 * with `AriRefused`. All nights are locked first, in the order of every reservation, so each reservation is
 * judged before or after the whole request. Rows that have their values already are not written, so a
 * repeated request changes nothing and makes no event.
 */
export async function updateAri(
  tx: SqlSession,
  hotelId: string,
  updates: readonly AriUpdate[],
  today: string,
): Promise<AriOutcome> {
  await lockDays(tx, hotelId, updates);
  try {
    for (const update of updates) {
      if (hasRules(update) || update.ratePlanId !== undefined) await requireDays(tx, hotelId, update);
      if (update.ratePlanId === undefined) await updateType(tx, hotelId, update);
      else await updatePlan(tx, hotelId, update.ratePlanId, update);
    }
    const priced = updates.filter(({ priceMinor }) => priceMinor !== undefined);
    const types = [...new Set(priced.flatMap(({ roomTypeIds }) => roomTypeIds))];
    if (types.length > 0) await refuseLostPrices(tx, hotelId, types, today);
  } catch (error) {
    if (error instanceof NoPriceLeft) throw new AriRefused(error.outcome);
    if (isUnknownPlan(error)) throw new AriRefused({ kind: 'unknown-plan' });
    if (sqlState(error) === '23514') throw new AriRefused({ kind: 'stay-bounds' });
    throw error;
  }
  return { kind: 'applied' };
}

/** Thrown to roll the request back; the outcome is returned to the caller. */
export class AriRefused extends Error {
  readonly outcome: AriOutcome;

  constructor(outcome: AriOutcome) {
    super(outcome.kind);
    this.outcome = outcome;
  }
}

/** A departure is stored with the night before it. */
const firstNight = ({ from, closedToDeparture }: AriUpdate) =>
  closedToDeparture === undefined ? from : addDays(from, -1);

async function lockDays(tx: SqlSession, hotelId: string, updates: readonly AriUpdate[]): Promise<void> {
  const ranges = updates.flatMap((update) =>
    update.roomTypeIds.map((type) => [type, firstNight(update), update.to] as const),
  );
  await tx.query(
    `SELECT FROM (SELECT DISTINCT q.type, q.f + d AS day
       FROM unnest($2::text[], $3::date[], $4::date[]) q (type, f, t), generate_series(0, q.t - q.f) d) n
     JOIN room_type_inventory i ON i.hotel_id = $1 AND i.room_type_id = n.type AND i.date = n.day
     ORDER BY i.room_type_id, i.date FOR NO KEY UPDATE OF i`,
    [hotelId, ranges.map(([type]) => type), ranges.map(([, from]) => from), ranges.map(([, , to]) => to)],
  );
}

async function requireDays(tx: SqlSession, hotelId: string, update: AriUpdate): Promise<void> {
  const { roomTypeIds, from, to } = update;
  const { rows } = await tx.query(
    `SELECT DISTINCT $3::date + d AS date FROM unnest($2::text[]) type, generate_series(0, $4::integer - 1) d
     WHERE NOT EXISTS (SELECT FROM room_type_inventory i
       WHERE i.hotel_id = $1 AND i.room_type_id = type AND i.date = $3::date + d) ORDER BY 1 LIMIT 100`,
    [hotelId, roomTypeIds, from, nightsBetween(from, to)],
  );
  if (rows.length > 0)
    throw new AriRefused({ kind: 'not-bookable', dates: rows.map((row) => row['date'] as string) });
}

/** What becomes of a column: `[given, value]`. */
type Column = readonly [string, SqlValue | undefined];

const restrictionColumns = (update: AriUpdate): readonly Column[] => [
  ['stop_sell', update.stopSell],
  ['closed_to_arrival', update.closedToArrival],
  ['min_stay', update.minStay],
  ['max_stay', update.maxStay],
];

async function updateType(tx: SqlSession, hotelId: string, update: AriUpdate): Promise<void> {
  const { roomTypeIds, from, to, priceMinor, closedToDeparture } = update;
  await setColumns(
    tx,
    [hotelId, roomTypeIds, from, to],
    [
      ...restrictionColumns(update),
      ['overbooking_percent', update.overbookingPercent],
      ['sell_limit', update.sellLimit],
    ],
  );
  const nights = [hotelId, roomTypeIds, addDays(from, -1), addDays(to, -1)] as const;
  await setColumns(tx, nights, [['closed_after', closedToDeparture]]);
  if (priceMinor === undefined) return;
  const { rows } = await tx.query(
    `WITH set AS (
       INSERT INTO room_type_rate AS r (hotel_id, room_type_id, date, price_minor)
       SELECT $1, type, $3::date + d, $5 FROM unnest($2::text[]) type, generate_series(0, $4::date - $3::date) d
       ON CONFLICT (hotel_id, room_type_id, date) DO UPDATE SET price_minor = excluded.price_minor
         WHERE r.price_minor <> excluded.price_minor RETURNING 1)
     SELECT FROM set LIMIT 1`,
    [hotelId, roomTypeIds, from, to, priceMinor],
  );
  if (rows.length > 0) await touchDays(tx, hotelId, roomTypeIds, from, to);
}

/** Only rows that would change are written. */
async function setColumns(
  tx: SqlSession,
  [hotelId, roomTypeIds, from, to]: readonly [string, readonly string[], string, string],
  columns: readonly Column[],
): Promise<void> {
  const set = columns.filter(([, value]) => value !== undefined);
  if (set.length === 0) return;
  const names = set.map(([name]) => name);
  const places = set.map((_, index) => `$${index + 5}`);
  const casts = names.map((name, index) => `${places[index]}::${typeOf[name]}`);
  await tx.query(
    `UPDATE room_type_inventory SET ${names.map((name, index) => `${name} = ${casts[index]}`).join(', ')},
       version = version + 1
     WHERE hotel_id = $1 AND room_type_id = ANY ($2) AND date BETWEEN $3 AND $4
       AND (${names.join(', ')}) IS DISTINCT FROM (${casts.join(', ')})`,
    [hotelId, roomTypeIds, from, to, ...set.map(([, value]) => value as SqlValue)],
  );
}

const typeOf: Readonly<Record<string, string>> = {
  stop_sell: 'boolean',
  closed_to_arrival: 'boolean',
  closed_after: 'boolean',
  min_stay: 'smallint',
  max_stay: 'smallint',
  overbooking_percent: 'smallint',
  sell_limit: 'integer',
  price_minor: 'bigint',
};

async function updatePlan(tx: SqlSession, hotelId: string, planId: string, update: AriUpdate): Promise<void> {
  const { roomTypeIds, from, to, priceMinor, closedToDeparture } = update;
  if (priceMinor !== undefined) await requireOwnPrices(tx, hotelId, planId, roomTypeIds);
  const days = [hotelId, planId, roomTypeIds, from, to] as const;
  const isPriced = await setPlanColumns(tx, days, [['price_minor', priceMinor]]);
  const isRestricted = await setPlanColumns(tx, days, restrictionColumns(update));
  const nights = [hotelId, planId, roomTypeIds, addDays(from, -1), addDays(to, -1)] as const;
  const isClosed = await setPlanColumns(tx, nights, [['closed_after', closedToDeparture]]);
  // A reservation that read the days without locks compares their versions.
  if (isRestricted || isClosed) await raiseVersions(tx, hotelId, roomTypeIds, firstNight(update), to);
  else if (isPriced) await touchDays(tx, hotelId, roomTypeIds, from, to);
}

/** Until the end: the rule of a plan does not change meanwhile. */
async function requireOwnPrices(
  tx: SqlSession,
  hotelId: string,
  planId: string,
  roomTypeIds: readonly string[],
): Promise<void> {
  const { rows } = await tx.query(
    `SELECT FROM rate_plan WHERE hotel_id = $1 AND plan_id = $2 AND room_type_id = ANY ($3) AND own_prices
     ORDER BY room_type_id FOR SHARE`,
    [hotelId, planId, roomTypeIds],
  );
  if (rows.length < roomTypeIds.length) throw new AriRefused({ kind: 'unknown-plan' });
}

async function setPlanColumns(
  tx: SqlSession,
  [hotelId, planId, roomTypeIds, from, to]: readonly [string, string, readonly string[], string, string],
  columns: readonly Column[],
): Promise<boolean> {
  const set = columns.filter(([, value]) => value !== undefined);
  if (set.length === 0) return false;
  const names = set.map(([name]) => name);
  const casts = names.map((name, index) => `$${index + 6}::${typeOf[name]}`);
  const { rows } = await tx.query(
    `WITH set AS (
       INSERT INTO rate_plan_day AS p (hotel_id, room_type_id, plan_id, date, ${names.join(', ')})
       SELECT $1, type, $2, $4::date + d, ${casts.join(', ')}
       FROM unnest($3::text[]) type, generate_series(0, $5::date - $4::date) d
       ON CONFLICT (hotel_id, room_type_id, plan_id, date) DO UPDATE
         SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}
         WHERE (${names.map((name) => `p.${name}`).join(', ')})
           IS DISTINCT FROM (${names.map((name) => `excluded.${name}`).join(', ')})
       RETURNING 1)
     SELECT FROM set LIMIT 1`,
    [hotelId, planId, roomTypeIds, from, to, ...set.map(([, value]) => value as SqlValue)],
  );
  return rows.length > 0;
}
