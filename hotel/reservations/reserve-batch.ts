import { setTimeout as delay } from 'node:timers/promises';
import { type SqlRow, type SqlSession, sqlState } from '#platform/sql/sql.js';
import { hotelLimits } from '../limits.js';
import { reservationOf } from './reservation-row.js';
import type { ReserveOutcome, ReserveRequest } from './reservations.js';

/** The guard against overselling by concurrent transactions; docs/adr/0060. */
export const guards = ['row_locks', 'version', 'constraint'] as const;
export type Guard = (typeof guards)[number];

export interface ReserveDeps {
  readonly sql: SqlSession;
  readonly guard: Guard;
  readonly now: () => Date;
  /** 0 ≤ random < 1, for the waits between attempts. */
  readonly random: () => number;
  readonly holdSeconds: number;
  readonly holdsPerUserMax: number;
}

/** `again`: another request of the batch decides about this one; retry when the batch is over. */
export type BatchOutcome = ReserveOutcome | { readonly kind: 'again' };

interface ResultRow extends SqlRow {
  readonly place: number;
  readonly outcome: Exclude<
    BatchOutcome['kind'],
    'busy' | 'invalid' | 'unknown-block' | 'block-released' | 'block-full'
  >;
  readonly dates: readonly string[] | null;
  readonly nights: number | null;
}

/**
 * Evaluates the requests in their order and stores those that fit, in one transaction that is one database
 * call. Answers in the order of the requests. Rejects with `SqlUnavailable` when the outcome is unknown: the
 * same request may be sent again.
 */
export async function reserveBatch(
  deps: ReserveDeps,
  requests: readonly ReserveRequest[],
): Promise<readonly BatchOutcome[]> {
  for (let attempt = 1; attempt <= hotelLimits.attemptsMax; attempt += 1) {
    try {
      return await reserveOnce(deps, requests);
    } catch (error) {
      if (sqlState(error) !== '40001' && sqlState(error) !== '40P01') throw error;
    }
    await delay(deps.random() * Math.min(2 ** attempt, 100));
  }
  return requests.map(() => ({ kind: 'busy' }));
}

/** One attempt; a conflict with another transaction is thrown. */
export async function reserveOnce(
  deps: ReserveDeps,
  requests: readonly ReserveRequest[],
): Promise<readonly BatchOutcome[]> {
  if (requests.length === 1 && deps.guard === 'row_locks' && requests[0]!.guest === undefined)
    return [await reserveOne(deps, requests[0]!)];
  const guests = requests.flatMap(({ guest }, place) => (guest === undefined ? [] : { ...guest, place }));
  const reserve = `SELECT place, outcome, dates, nights, (reserved).* FROM reserve_by_${deps.guard}(
       $1, lock_users($2), $3, $4, $5, $6, $7, $8, $9, make_interval(secs => $10), $11, $12, $13)`;
  const { rows } = await deps.sql.query<ResultRow>(guests.length === 0 ? reserve : withGuests(reserve), [
    requests.map((request) => request.reservationId),
    requests.map((request) => request.userId),
    requests.map((request) => request.hotelId),
    requests.map((request) => request.roomTypeId),
    requests.map((request) => request.startDate),
    requests.map((request) => request.endDate),
    requests.map((request) => request.roomCount),
    requests.map(textOf),
    deps.now(),
    deps.holdSeconds,
    deps.holdsPerUserMax,
    requests.map(({ ratePlanId }) => ratePlanId ?? null),
    requests.map(({ adults }) => adults ?? null),
    ...(guests.length === 0
      ? []
      : [
          guests.map(({ place }) => place + 1),
          guests.map(({ wrappedKey }) => Buffer.from(wrappedKey)),
          guests.map(({ sealed }) => Buffer.from(sealed)),
        ]),
  ]);
  const outcomes = new Array<BatchOutcome>(requests.length);
  for (const row of rows) outcomes[row.place - 1] = outcomeOf(row);
  return outcomes;
}

/** Guests are stored by the statement that reserves, so they need no round trip of their own. */
const withGuests = (reserve: string): string =>
  `WITH answer AS MATERIALIZED (${reserve}),
     made AS (SELECT a.reservation_id, a.user_id, g.wrapped_key, g.sealed
       FROM unnest($14::integer[], $15::bytea[], $16::bytea[]) g (place, wrapped_key, sealed)
       JOIN answer a USING (place) WHERE a.outcome = 'reserved'),
     keys AS (INSERT INTO guest_key (reservation_id, user_id, wrapped_key)
       SELECT reservation_id, user_id, wrapped_key FROM made),
     people AS (INSERT INTO guest (reservation_id, sealed) SELECT reservation_id, sealed FROM made)
   SELECT * FROM answer`;

/** The same for one request, for which the database has a shorter function. */
async function reserveOne(deps: ReserveDeps, request: ReserveRequest): Promise<BatchOutcome> {
  const { reservationId, userId, hotelId, roomTypeId, startDate, endDate, roomCount } = request;
  const { ratePlanId = null, adults = null } = request;
  const { rows } = await deps.sql.query<ResultRow>(
    // The argument is evaluated before the function. Its statements then see changes that were committed
    // during the wait for the lock.
    `SELECT place, outcome, dates, nights, (reserved).* FROM reserve_one(
       $1, (lock_users(ARRAY[$2::text]))[1], $3, $4, $5, $6, $7, $8, $9, make_interval(secs => $10), $11, $12, $13)`,
    [
      ...[reservationId, userId, hotelId, roomTypeId, startDate, endDate, roomCount],
      ...[textOf(request), deps.now(), deps.holdSeconds, deps.holdsPerUserMax, ratePlanId, adults],
    ],
  );
  return outcomeOf(rows[0]!);
}

/** The fields that are compared when the same id is sent again. */
function textOf(request: ReserveRequest): string {
  const { hotelId, roomTypeId, startDate, endDate, roomCount, ratePlanId, adults, guest, blockCode } =
    request;
  // Without the others it is the text that earlier versions stored.
  const isPlain = ratePlanId === undefined && (adults ?? null) === null;
  return JSON.stringify([
    ...[hotelId, roomTypeId, startDate, endDate, roomCount],
    ...(isPlain ? [] : [ratePlanId ?? null, adults ?? null]),
    ...(blockCode === undefined ? [] : [{ block: blockCode }]),
    // The database reads the number from here; see the trigger `reservation_guests`.
    ...(guest === undefined ? [] : [{ guests: guest.guests }]),
  ]);
}

function outcomeOf(row: ResultRow): BatchOutcome {
  switch (row.outcome) {
    case 'reserved':
    case 'repeated':
      return { kind: row.outcome, reservation: reservationOf(row) };
    case 'insufficient':
    case 'not-bookable':
    case 'no-rate':
      return { kind: row.outcome, dates: row.dates ?? [] };
    case 'stop-sell':
    case 'closed-to-arrival':
    case 'closed-to-departure':
    case 'minimum-stay':
    case 'maximum-stay':
      return {
        kind: row.outcome,
        dates: row.dates ?? [],
        ...(row.nights === null ? {} : { nights: row.nights }),
      };
    case 'differs':
    case 'taken':
    case 'unknown-hotel':
    case 'unknown-room-type':
    case 'unknown-rate-plan':
    case 'too-many-adults':
    case 'past':
    case 'too-many-holds':
    case 'again':
      return { kind: row.outcome };
  }
}
