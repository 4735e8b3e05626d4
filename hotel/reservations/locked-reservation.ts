import type { SqlSession } from '#platform/sql/sql.js';
import { isStorable } from './request-problem.js';
import type { Reservation } from './reservation.js';
import { reservationOf } from './reservation-row.js';
import type { Actor } from './reservations.js';

/**
 * The reservation, locked until the transaction ends; undefined if `actor` sees none. Every change locks
 * reservations before counts, and new reservations lock after the counts, so there are no deadlocks.
 */
export async function lockReservation(
  tx: SqlSession,
  reservationId: string,
  actor: Actor,
): Promise<Reservation | undefined> {
  if (!isStorable(reservationId)) return undefined;
  const { rows } = await tx.query('SELECT * FROM reservation WHERE reservation_id = $1 FOR NO KEY UPDATE', [
    reservationId,
  ]);
  return rows[0] !== undefined && maySee(actor, rows[0]['user_id']) ? reservationOf(rows[0]) : undefined;
}

/** The same without a lock. */
export async function findReservation(
  sql: SqlSession,
  reservationId: string,
  actor: Actor,
): Promise<Reservation | undefined> {
  const [found] = isStorable(reservationId) ? await findReservations(sql, [reservationId]) : [];
  return found !== undefined && maySee(actor, found.userId) ? found : undefined;
}

/** In the order of the ids; undefined where there is none. */
export async function findReservations(
  sql: SqlSession,
  reservationIds: readonly string[],
): Promise<ReadonlyArray<Reservation | undefined>> {
  const { rows } = await sql.query('SELECT * FROM reservation WHERE reservation_id = ANY ($1)', [
    reservationIds,
  ]);
  const found = new Map(rows.map((row) => [row['reservation_id'], reservationOf(row)]));
  return reservationIds.map((id) => found.get(id));
}

export async function listReservations(
  sql: SqlSession,
  userId: string,
  before: Pick<Reservation, 'sequence' | 'createdAt'> | undefined,
  limit: number,
): Promise<readonly Reservation[]> {
  const { rows } = await sql.query(
    'SELECT * FROM reservation WHERE user_id = $1 AND sequence < $2 ORDER BY sequence DESC LIMIT $3',
    [userId, before?.sequence ?? 9_223_372_036_854_775_807n, limit],
  );
  return rows.map(reservationOf);
}

/** The same on one of several servers, whose sequences do not compare. */
export async function listByTime(
  sql: SqlSession,
  userId: string,
  before: Pick<Reservation, 'sequence' | 'createdAt'> | undefined,
  limit: number,
): Promise<readonly Reservation[]> {
  const { rows } = await sql.query(
    `SELECT * FROM reservation WHERE user_id = $1 AND ($2::timestamptz IS NULL OR (created_at, sequence) < ($2, $3))
       AND hotel_is_here(hotel_id) ORDER BY created_at DESC, sequence DESC LIMIT $4`,
    [userId, before?.createdAt ?? null, before?.sequence ?? null, limit],
  );
  return rows.map(reservationOf);
}

export const maySee = (actor: Actor, userId: unknown) => 'staff' in actor || actor.userId === userId;
