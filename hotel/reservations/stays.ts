import { type Sql, type SqlRow, type SqlSession, sqlState } from '#platform/sql/sql.js';
import { readHouseRules } from '../housekeeping/house-rules.js';
import { releaseRooms } from '../inventory/change-counts.js';
import { hotelLimits } from '../limits.js';
import { type AssignedRoom, assignedRooms } from './assigned-rooms.js';
import { type ExpectedStay, hasRooms, isExpected } from './expected-stay.js';
import { penaltyOf } from './given-up-rooms.js';
import { lockReservation } from './locked-reservation.js';
import type { Reservation } from './reservation.js';
import { reservationOf } from './reservation-row.js';
import type { ChangeOutcome } from './reservations.js';
import { moveTo } from './settle-payment.js';
import { addDays } from './stay-days.js';
import { endOpenChange } from './supplements.js';

export type AssignOutcome =
  | { readonly kind: 'assigned'; readonly rooms: readonly AssignedRoom[] }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refused'; readonly reservation: Reservation }
  /** It is not as `expected` any more. */
  | { readonly kind: 'changed-before'; readonly reservation: Reservation }
  /** Not as many rooms of the type are free on all nights; with `roomIds`, not all of those are. */
  | { readonly kind: 'no-free-rooms' };

/** What the front desk does with a paid reservation. All calls act for staff. */
export class Stays {
  readonly #sql: Sql;
  readonly #now: () => Date;
  /** See `PostgresReservations.hearMoney`. */
  readonly hearMoney: (reservationId: string) => Promise<void>;

  constructor(options: {
    readonly sql: Sql;
    readonly now?: () => Date;
    readonly hearMoney?: Stays['hearMoney'];
  }) {
    this.hearMoney = options.hearMoney ?? (async () => {});
    this.#sql = options.sql;
    this.#now = options.now ?? (() => new Date());
  }

  /**
   * Assigns rooms to the reservation: the given ones, or the free ones with the lowest numbers. Earlier
   * assignments are replaced. With `expected`, only if the stay is still so, or has these rooms already.
   */
  async assignRooms(
    reservationId: string,
    roomIds?: readonly string[],
    expected?: ExpectedStay,
  ): Promise<AssignOutcome> {
    await this.hearMoney(reservationId);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#sql.transaction((tx) => assign(tx, reservationId, roomIds, expected));
      } catch (error) {
        if (error instanceof NoFreeRooms) return { kind: 'no-free-rooms' };
        // Another reservation took the same room meanwhile; the next attempt sees it.
        if (sqlState(error) !== '23505' || attempt === hotelLimits.attemptsMax) throw error;
      }
    }
  }

  async assignedRooms(reservationId: string): Promise<readonly AssignedRoom[]> {
    return assignedRooms(this.#sql, reservationId);
  }

  /**
   * On the days of the stay, with rooms assigned that are clean, or inspected where the hotel wants it.
   * `dirtyRooms`: although they are not.
   */
  checkIn(
    reservationId: string,
    { dirtyRooms = false }: { readonly dirtyRooms?: boolean } = {},
  ): Promise<ChangeOutcome> {
    return this.#change(reservationId, async (tx, found, today) => {
      if (found.status === 'checked_in') return { kind: 'unchanged', reservation: found };
      const rooms = await assignedRooms(tx, reservationId);
      if (
        found.status !== 'paid' ||
        today < found.startDate ||
        today > addDays(found.endDate, 1) ||
        rooms.length === 0
      ) {
        return { kind: 'refused', reservation: found };
      }
      if (dirtyRooms)
        await tx.query(
          `UPDATE room SET status = 'available', version = version + 1 WHERE hotel_id = $1 AND room_id = ANY ($2) AND status = 'dirty'`,
          [found.hotelId, rooms.map((room) => room.roomId)],
        );
      const { checkInNeeds } = await readHouseRules(tx, found.hotelId);
      const ready = checkInNeeds === 'clean' || dirtyRooms ? ['available', 'inspected'] : ['inspected'];
      // A room that still has a guest or is not clean is refused by its own states.
      const { rowCount } = await tx.query(
        `UPDATE room SET status = 'occupied', version = version + 1 WHERE hotel_id = $1 AND room_id = ANY ($2)
           AND status::text = ANY ($3)`,
        [found.hotelId, rooms.map((room) => room.roomId), ready],
      );
      if (rowCount !== rooms.length) throw new NotReady(found);
      await releaseRooms(tx, await endOpenChange(tx, this.#now(), found));
      return { kind: 'changed', reservation: await moveTo(tx, this.#now(), found, 'checked_in') };
    });
  }

  checkOut(reservationId: string): Promise<ChangeOutcome> {
    return this.#change(reservationId, async (tx, found) => {
      if (found.status === 'completed') return { kind: 'unchanged', reservation: found };
      if (found.status !== 'checked_in') return { kind: 'refused', reservation: found };
      await tx.query(
        `UPDATE room SET status = 'dirty', version = version + 1 WHERE hotel_id = $1 AND status = 'occupied'
         AND room_id IN (SELECT room_id FROM room_night WHERE reservation_id = $2)`,
        [found.hotelId, reservationId],
      );
      return { kind: 'changed', reservation: await moveTo(tx, this.#now(), found, 'completed') };
    });
  }

  /**
   * From the day after arrival on, there not before the time of the house rules: nights from today on are
   * released, the penalty is kept.
   */
  markNoShow(reservationId: string): Promise<ChangeOutcome> {
    return this.#change(reservationId, async (tx, found, today, time) => {
      if (found.status === 'no_show') return { kind: 'unchanged', reservation: found };
      const absent = found.status === 'paid' || found.status === 'payment_returned';
      const { noShowAt } = await readHouseRules(tx, found.hotelId);
      const early = today === addDays(found.startDate, 1) && noShowAt !== null && time < noShowAt;
      if (!absent || today <= found.startDate || early) return { kind: 'refused', reservation: found };
      const endDate = today <= found.endDate ? addDays(today, -1) : found.endDate;
      const waiting = await endOpenChange(tx, this.#now(), found);
      const nights = { ...found, startDate: today, rooms: found.roomCount };
      await releaseRooms(tx, endDate < found.endDate ? [nights, ...waiting] : waiting);
      await tx.query('DELETE FROM room_night WHERE reservation_id = $1 AND date >= $2', [
        reservationId,
        today,
      ]);
      const granted = found.priceMinor - penaltyOf(found, found.priceMinor, this.#now());
      const { rows } = await tx.query(
        `UPDATE reservation SET status = 'no_show', end_date = $2::date, updated_at = $4,
           refund_granted_minor = refund_granted_minor + $3,
           night_prices_minor = night_prices_minor[1 : $2::date - start_date + 1]
         WHERE reservation_id = $1 RETURNING *`,
        [reservationId, endDate, granted, this.#now()],
      );
      return { kind: 'changed', reservation: reservationOf(rows[0]!) };
    });
  }

  async #change(
    reservationId: string,
    work: (tx: SqlSession, found: Reservation, today: string, time: string) => Promise<ChangeOutcome>,
  ): Promise<ChangeOutcome> {
    await this.hearMoney(reservationId);
    try {
      return await this.#sql.transaction(
        async (tx) => {
          const found = await lockReservation(tx, reservationId, { staff: true });
          if (found === undefined) return { kind: 'unknown' };
          const { rows } = await tx.query<SqlRow & { today: string; time: string }>(
            `SELECT l.at::date AS today, to_char(l.at, 'HH24:MI') AS time
             FROM hotel, LATERAL (SELECT $2::timestamptz AT TIME ZONE time_zone AS at) l WHERE hotel_id = $1`,
            [found.hotelId, this.#now()],
          );
          return work(tx, found, rows[0]!.today, rows[0]!.time);
        },
        { attempts: hotelLimits.attemptsMax },
      );
    } catch (error) {
      if (error instanceof NotReady) return { kind: 'refused', reservation: error.reservation };
      throw error;
    }
  }
}

/** Rolls the transaction back. */
class NotReady extends Error {
  readonly reservation: Reservation;

  constructor(reservation: Reservation) {
    super('a room is not ready');
    this.reservation = reservation;
  }
}

async function assign(
  tx: SqlSession,
  reservationId: string,
  roomIds: readonly string[] | undefined,
  expected: ExpectedStay | undefined,
): Promise<AssignOutcome> {
  const found = await lockReservation(tx, reservationId, { staff: true });
  if (found === undefined) return { kind: 'unknown' };
  const many = roomIds === undefined ? found.roomCount : new Set(roomIds).size;
  if (found.status !== 'paid' || many !== found.roomCount) return { kind: 'refused', reservation: found };
  if (!(await isExpected(tx, found, expected))) {
    const rooms = await assignedRooms(tx, reservationId);
    // A repetition after a lost answer.
    const isDone = roomIds !== undefined && hasRooms(rooms, roomIds);
    return isDone ? { kind: 'assigned', rooms } : { kind: 'changed-before', reservation: found };
  }
  await tx.query('DELETE FROM room_night WHERE reservation_id = $1', [reservationId]);
  const { rows } = await tx.query<SqlRow & { room_id: string }>(
    `SELECT r.room_id FROM room r WHERE r.hotel_id = $1 AND r.room_type_id = $2 AND r.status <> 'retired'
       AND r.in_service_from <= $3 AND (r.retired_from IS NULL OR r.retired_from > $4)
       AND NOT EXISTS (SELECT FROM room_out_of_order o
         WHERE o.hotel_id = r.hotel_id AND o.room_id = r.room_id AND o.from_date <= $4 AND o.to_date >= $3)
       AND NOT EXISTS (SELECT FROM room_night n
         WHERE n.hotel_id = r.hotel_id AND n.room_id = r.room_id AND n.date BETWEEN $3 AND $4)
       AND ($5::text[] IS NULL OR r.room_id = ANY ($5) AND r.status <> 'out_of_order')
     ORDER BY length(r.number), r.number LIMIT $6`,
    [found.hotelId, found.roomTypeId, found.startDate, found.endDate, roomIds ?? null, found.roomCount],
  );
  if (rows.length < found.roomCount) throw new NoFreeRooms();
  await tx.query(
    `INSERT INTO room_night (hotel_id, room_id, date, reservation_id)
     SELECT $1, r, $3::date + d, $5
     FROM unnest($2::text[]) r, generate_series(0, $4::date - $3::date) d ORDER BY r, d`,
    [found.hotelId, rows.map((row) => row.room_id), found.startDate, found.endDate, reservationId],
  );
  return { kind: 'assigned', rooms: await assignedRooms(tx, reservationId) };
}

/** Rolls back, so that the earlier assignment stays. */
class NoFreeRooms extends Error {}
