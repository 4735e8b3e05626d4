import { randomUUID } from 'node:crypto';
import type { SqlRow, SqlSession } from '#platform/sql/sql.js';
import { type CountChange, releaseRooms } from '../inventory/change-counts.js';
import { type ChangedStay, stayOf, stayText } from './changed-stay.js';
import { lockReservation } from './locked-reservation.js';
import { neededRooms } from './needed-rooms.js';
import type { Reservation } from './reservation.js';
import { reservationOf } from './reservation-row.js';
import type { ChangeOutcome } from './reservations.js';

/** A further amount that a guest is asked for: the difference of a change, or open extras. */
export interface Supplement {
  readonly supplementId: string;
  readonly reservationId: string;
  readonly amountMinor: bigint;
  readonly status: 'open' | 'paid' | 'ended';
  readonly expiresAt: Date;
  /** Of a change that waits to be paid; null: of extras. */
  readonly stay: ChangedStay | null;
}

/** The caller has counted the rooms of `stay`. An earlier supplement has ended. */
export async function openSupplement(
  tx: SqlSession,
  now: Date,
  reservationId: string,
  asked: Pick<Supplement, 'amountMinor' | 'expiresAt' | 'stay'>,
): Promise<Reservation> {
  const { amountMinor, expiresAt, stay } = asked;
  const supplementId = randomUUID();
  await tx.query(
    `INSERT INTO stay_supplement (supplement_id, reservation_id, kind, amount_minor, expires_at, stay, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      ...[supplementId, reservationId, stay === null ? 'extras' : 'change', amountMinor, expiresAt],
      ...[stay && stayText(stay), now],
    ],
  );
  const { rows } = await tx.query(
    `UPDATE reservation SET supplement_id = $2, supplement_minor = $3, supplement_expires_at = $4, updated_at = $5
     WHERE reservation_id = $1 RETURNING *`,
    [reservationId, supplementId, amountMinor, expiresAt, now],
  );
  return reservationOf(rows[0]!);
}

/** Undefined if this reservation never had it. */
export async function readSupplement(
  sql: SqlSession,
  { reservationId }: Pick<Reservation, 'reservationId'>,
  supplementId: string,
): Promise<Supplement | undefined> {
  const { rows } = await sql.query(
    'SELECT * FROM stay_supplement WHERE supplement_id = $1 AND reservation_id = $2',
    [supplementId, reservationId],
  );
  return rows.map(supplementOf)[0];
}

/** The one that waits to be paid; most reservations have none, and then nothing is read. */
export const readOpenSupplement = async (
  sql: SqlSession,
  found: Reservation,
): Promise<Supplement | undefined> =>
  found.supplement === null ? undefined : readSupplement(sql, found, found.supplement.id);

/** Of a locked reservation; the caller releases `roomsHeldBy` it. */
export async function closeSupplement(
  tx: SqlSession,
  now: Date,
  { supplementId, reservationId }: Supplement,
  status: 'paid' | 'ended',
): Promise<Reservation> {
  await tx.query('UPDATE stay_supplement SET status = $2 WHERE supplement_id = $1', [supplementId, status]);
  const { rows } = await tx.query(
    'UPDATE reservation SET supplement_minor = 0, updated_at = $2 WHERE reservation_id = $1 RETURNING *',
    [reservationId, now],
  );
  return reservationOf(rows[0]!);
}

/** What a change that waits to be paid holds beside the rooms of the paid stay. */
export const roomsHeldBy = (supplement: Supplement | undefined, paid: Reservation): readonly CountChange[] =>
  supplement === undefined || supplement.stay === null ? [] : neededRooms(supplement.stay, paid);

/**
 * A change that waits to be paid ends when something else happens to its reservation. The caller releases the
 * returned rooms, with its own, in one step.
 */
export async function endOpenChange(
  tx: SqlSession,
  now: Date,
  found: Reservation,
): Promise<readonly CountChange[]> {
  const open = await readOpenSupplement(tx, found);
  if (open === undefined || open.stay === null) return [];
  await closeSupplement(tx, now, open, 'ended');
  return roomsHeldBy(open, found);
}

/** It cannot be paid any more. Money that comes nevertheless goes back. */
export async function endSupplement(
  tx: SqlSession,
  now: Date,
  reservationId: string,
  supplementId: string,
): Promise<ChangeOutcome> {
  const found = await lockReservation(tx, reservationId, { staff: true });
  if (found === undefined) return { kind: 'unknown' };
  if (found.supplement?.id !== supplementId) return { kind: 'unchanged', reservation: found };
  const open = (await readOpenSupplement(tx, found))!;
  await releaseRooms(tx, roomsHeldBy(open, found));
  return { kind: 'changed', reservation: await closeSupplement(tx, now, open, 'ended') };
}

/** Ends at most `limit` expired ones; those of reservations that another process changes are skipped. */
export async function expireSupplements(tx: SqlSession, now: Date, limit: number): Promise<number> {
  const { rows } = await tx.query(
    `SELECT * FROM reservation WHERE supplement_minor > 0 AND supplement_expires_at <= $1
     ORDER BY reservation_id LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`,
    [now, limit],
  );
  const rooms: CountChange[] = [];
  for (const found of rows.map(reservationOf)) {
    const open = (await readOpenSupplement(tx, found))!;
    rooms.push(...roomsHeldBy(open, found));
    await closeSupplement(tx, now, open, 'ended');
  }
  if (rooms.length > 0) await releaseRooms(tx, rooms);
  return rows.length;
}

const supplementOf = (row: SqlRow): Supplement => ({
  supplementId: row['supplement_id'] as string,
  reservationId: row['reservation_id'] as string,
  amountMinor: row['amount_minor'] as bigint,
  status: row['status'] as Supplement['status'],
  expiresAt: row['expires_at'] as Date,
  stay: row['stay'] === null ? null : stayOf(row['stay']),
});
