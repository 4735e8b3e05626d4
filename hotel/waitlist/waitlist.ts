import { queryAll } from '#platform/sql/query-all.js';
import type { Sql, SqlRow, SqlSession, SqlTransaction } from '#platform/sql/sql.js';
import { newReservationId } from '#schemas/reservation-id.js';
import type { UserId } from '#schemas/units.js';
import { hotelLimits } from '../limits.js';
import { isStorable, requestProblem } from '../reservations/request-problem.js';
import type { Reservations } from '../reservations/reservations.js';

export interface WaitlistRequest {
  /** Created by the client, unique: a repeated request is the same entry. */
  readonly entryId: string;
  readonly userId: UserId;
  readonly hotelId: string;
  readonly roomTypeId: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly roomCount: number;
}

export interface WaitlistEntry extends WaitlistRequest {
  /** `offered`: the reservation `reservationId` holds the rooms until it is paid or runs out. */
  readonly status: 'waiting' | 'offered' | 'withdrawn' | 'lapsed';
  readonly reservationId: string;
  readonly createdAt: Date;
}

export type JoinOutcome =
  | { readonly kind: 'joined' | 'repeated'; readonly entry: WaitlistEntry }
  | { readonly kind: 'invalid'; readonly problem: string }
  | { readonly kind: 'taken' | 'unknown-room-type' | 'too-many' };

/**
 * The waitlist for rooms that are sold out. Free nights are offered to the guest who has waited longest for
 * them: an ordinary reservation with a longer hold, made by the ordinary function, so it cannot oversell more
 * than any other.
 */
export class Waitlist {
  readonly #sql: Sql;
  readonly #everywhere: readonly Sql[];
  readonly #offers: Pick<Reservations, 'reserve'>;
  readonly #now: () => Date;

  /**
   * `offers` makes the reservations: with the hold that an offer lasts, and without a bound on holds per
   * user.
   */
  constructor(options: {
    readonly sql: Sql;
    /** All databases of hotels, when there are several. */
    readonly everywhere?: readonly Sql[];
    readonly offers: Pick<Reservations, 'reserve'>;
    readonly now?: () => Date;
  }) {
    this.#sql = options.sql;
    this.#everywhere = options.everywhere ?? [options.sql];
    this.#offers = options.offers;
    this.#now = options.now ?? (() => new Date());
  }

  async join(request: WaitlistRequest): Promise<JoinOutcome> {
    const problem = requestProblem({ ...request, reservationId: request.entryId });
    if (problem !== undefined) return { kind: 'invalid', problem };
    const { entryId, userId, hotelId, roomTypeId, startDate, endDate, roomCount } = request;
    const { rows } = await this.#alone(userId, (tx, waitingElsewhere) =>
      tx.query(
        `INSERT INTO waitlist_entry (entry_id, user_id, hotel_id, room_type_id, start_date, end_date,
           room_count, reservation_id, created_at)
       SELECT $1, $2, t.hotel_id, t.room_type_id, $5, $6, $7, $8, $9 FROM room_type t JOIN hotel h USING (hotel_id)
       WHERE t.hotel_id = $3 AND t.room_type_id = $4 AND h.deleted_at IS NULL
         AND (SELECT count(*) FROM waitlist_entry w WHERE w.user_id = $2 AND w.status = 'waiting') < $10
       ON CONFLICT (entry_id) DO NOTHING RETURNING *`,
        // An id that cannot be guessed: a stranger could take a known one before the offer.
        [
          entryId,
          userId,
          hotelId,
          roomTypeId,
          startDate,
          endDate,
          roomCount,
          newReservationId(hotelId),
          this.#now(),
          hotelLimits.waitingPerUserMax - waitingElsewhere,
        ],
      ),
    );
    if (rows[0] !== undefined) return { kind: 'joined', entry: entryOf(rows[0]) };
    const before = await this.#sql.query('SELECT * FROM waitlist_entry WHERE entry_id = $1', [entryId]);
    if (before.rows[0] !== undefined) {
      const entry = entryOf(before.rows[0]);
      return entry.userId === userId ? { kind: 'repeated', entry } : { kind: 'taken' };
    }
    const known = await this.#sql.query(
      'SELECT FROM room_type JOIN hotel USING (hotel_id) WHERE hotel_id = $1 AND room_type_id = $2 AND deleted_at IS NULL',
      [hotelId, roomTypeId],
    );
    return { kind: known.rows.length === 0 ? 'unknown-room-type' : 'too-many' };
  }

  /**
   * Runs `work` while no other entry of the user is added at any server, with the number of those that wait
   * at others. The lock is at the first server. Connections are taken there first, so nobody who has one of
   * another server waits for one of the first.
   */
  #alone<Result>(
    userId: UserId,
    work: (tx: SqlTransaction, waitingElsewhere: number) => Promise<Result>,
  ): Promise<Result> {
    const [first = this.#sql, ...others] = this.#everywhere;
    return first.transaction(async (locked) => {
      // A separate statement: the next one sees entries that were added while this one waited.
      await locked.query('SELECT lock_users(ARRAY[$1::text])', [userId]);
      let elsewhere = first === this.#sql ? 0 : await waitingOf(locked, userId);
      for (const sql of others) if (sql !== this.#sql) elsewhere += await waitingOf(sql, userId);
      return first === this.#sql
        ? work(locked, elsewhere)
        : this.#sql.transaction((tx) => work(tx, elsewhere));
    });
  }

  async list(userId: UserId): Promise<readonly WaitlistEntry[]> {
    const rows = await queryAll(
      this.#everywhere,
      `SELECT * FROM waitlist_entry WHERE user_id = $1 AND hotel_is_here(hotel_id)
       ORDER BY sequence DESC LIMIT $2`,
      [userId, hotelLimits.pageMax],
    );
    return rows.map(entryOf).slice(0, hotelLimits.pageMax);
  }

  /** False if the user has no such waiting entry. */
  async withdraw(entryId: string, userId: UserId): Promise<boolean> {
    if (!isStorable(entryId)) return false;
    for (const sql of this.#everywhere) {
      const { rowCount } = await sql.query(
        `UPDATE waitlist_entry SET status = 'withdrawn'
         WHERE entry_id = $1 AND user_id = $2 AND status = 'waiting' AND hotel_is_here(hotel_id)`,
        [entryId, userId],
      );
      if (rowCount === 1) return true;
    }
    return false;
  }

  /**
   * Offers rooms that have become free, and expires entries whose stay has begun or whose offer ran out. To
   * be called every few seconds; any number of processes may. An offer has the id of its entry, so a crash
   * between the two steps creates no second one. Returns the offers made.
   */
  async offerFreedRooms(limit: number = hotelLimits.offersAtOnce): Promise<number> {
    await this.#sql.query(
      `UPDATE waitlist_entry w SET status = 'lapsed' FROM reservation r
       WHERE w.status = 'offered' AND r.reservation_id = w.reservation_id AND r.status IN ('expired', 'rejected')
         AND hotel_is_open(w.hotel_id)`,
    );
    await this.#sql.query(
      `UPDATE waitlist_entry w SET status = 'lapsed' FROM hotel h
       WHERE w.status = 'waiting' AND h.hotel_id = w.hotel_id AND hotel_is_open(w.hotel_id)
         AND (h.deleted_at IS NOT NULL OR w.start_date < ($1::timestamptz AT TIME ZONE h.time_zone)::date)`,
      [this.#now()],
    );
    const { rows } = await this.#sql.query(
      `SELECT * FROM waitlist_entry w WHERE w.status = 'waiting' AND w.end_date - w.start_date + 1 = (
         SELECT count(*) FROM room_type_inventory i
         WHERE i.hotel_id = w.hotel_id AND i.room_type_id = w.room_type_id
           AND i.date BETWEEN w.start_date AND w.end_date
           AND i.total_reserved + w.room_count
             <= rooms_sold_at_most(i.total_inventory, i.overbooking_percent, i.sell_limit))
         AND NOT EXISTS (SELECT FROM stay_refusal(w.hotel_id, w.room_type_id, NULL, w.start_date, w.end_date) s
           WHERE s.refusal IS NOT NULL)
         AND hotel_is_open(w.hotel_id)
       ORDER BY w.sequence LIMIT $1`,
      [limit],
    );
    let offered = 0;
    for (const entry of rows.map(entryOf)) {
      const { kind } = await this.#offers.reserve(entry);
      if (kind !== 'reserved' && kind !== 'repeated') continue;
      const { rowCount } = await this.#sql.query(
        `UPDATE waitlist_entry SET status = 'offered' WHERE entry_id = $1 AND status = 'waiting'`,
        [entry.entryId],
      );
      offered += rowCount;
    }
    return offered;
  }
}

function entryOf(row: SqlRow): WaitlistEntry {
  return {
    entryId: row['entry_id'] as string,
    userId: row['user_id'] as UserId,
    hotelId: row['hotel_id'] as string,
    roomTypeId: row['room_type_id'] as string,
    startDate: row['start_date'] as string,
    endDate: row['end_date'] as string,
    roomCount: row['room_count'] as number,
    status: row['status'] as WaitlistEntry['status'],
    reservationId: row['reservation_id'] as string,
    createdAt: row['created_at'] as Date,
  };
}

async function waitingOf(session: SqlSession, userId: string): Promise<number> {
  const { rows } = await session.query<SqlRow & { n: bigint }>(
    `SELECT count(*) AS n FROM waitlist_entry
     WHERE user_id = $1 AND status = 'waiting' AND hotel_is_here(hotel_id)`,
    [userId],
  );
  return Number(rows[0]!.n);
}
