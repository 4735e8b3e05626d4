import { setTimeout as delay } from 'node:timers/promises';
import { Batcher } from '#platform/batcher/batcher.js';
import type { Sql } from '#platform/sql/sql.js';
import type { UserId } from '#schemas/units.js';
import { hotelLimits } from '../limits.js';
import type { Reservation } from '../reservations/reservation.js';
import { shardingLimits } from './limits.js';

interface Hold {
  readonly userId: UserId;
  readonly reservationId: string;
}

interface UserHoldsDeps {
  readonly directory: Sql;
  readonly holdsPerUserMax: number;
  readonly find: (reservationId: string) => Promise<Reservation | undefined>;
}

/**
 * Counts the unpaid reservations of a user over all servers, without a transaction over servers: a place is
 * claimed in the directory before the reservation is made. Places that are no longer needed are looked for
 * only when a user has none left.
 */
export class UserHolds {
  readonly #deps: UserHoldsDeps;
  readonly #claiming: Batcher<Hold, boolean>;
  readonly #releasing: Batcher<Hold, undefined>;
  #purgedAtMs = performance.now();

  constructor(deps: UserHoldsDeps) {
    this.#deps = deps;
    const { batchMax } = hotelLimits;
    // One at a time, and after a moment: a statement for many costs little more than one for a single place.
    this.#claiming = new Batcher((holds) => this.#claimAll(holds), {
      atOnce: 1,
      batchMax,
      turn: () => delay(shardingLimits.gatherMs),
    });
    this.#releasing = new Batcher((holds) => this.#releaseAll(holds), { batchMax, failsTogether: true });
  }

  /** Before each attempt to make the reservation. False: the user has as many as allowed. */
  async claim(hold: Hold): Promise<boolean> {
    if (await this.#claiming.call(hold)) return true;
    return (await this.#dropUnneeded(hold.userId)) && this.#claiming.call(hold);
  }

  /** The attempt has made nothing. If that is lost, the place is found to be unneeded later. */
  release(hold: Hold): void {
    this.#releasing.call(hold).catch(() => {});
  }

  /** Forgets places that are too old to be of an unpaid reservation. */
  async purge(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - this.#purgedAtMs < shardingLimits.purgeEveryMs) return;
    this.#purgedAtMs = nowMs;
    await this.#deps.directory.query(
      `DELETE FROM user_hold WHERE claimed_at < clock_timestamp() - interval '1 day'`,
    );
  }

  async drain(): Promise<void> {
    await Promise.all([this.#claiming.drain(), this.#releasing.drain()]);
  }

  /** Whether there is a place again. */
  async #dropUnneeded(userId: UserId): Promise<boolean> {
    const { directory, holdsPerUserMax, find } = this.#deps;
    const { rows } = await directory.query(
      `SELECT reservation_id, claimed_at::text AS claimed_at,
         claimed_at < clock_timestamp() - make_interval(secs => $2) AS is_old
       FROM user_hold WHERE user_id = $1 LIMIT $3`,
      [userId, shardingLimits.claimSeconds, holdsPerUserMax],
    );
    const found = await Promise.all(rows.map((row) => find(row['reservation_id'] as string)));
    const unneeded = rows.filter((row, at) => {
      const reservation = found[at];
      // A new one may still be in progress.
      return reservation === undefined ? row['is_old'] === true : !isHeld(reservation, userId);
    });
    // Not what was claimed again meanwhile.
    await directory.query(
      `DELETE FROM user_hold h USING unnest($2::text[], $3::timestamptz[]) u (id, at)
       WHERE h.user_id = $1 AND h.reservation_id = u.id AND h.claimed_at = u.at`,
      [
        userId,
        unneeded.map((row) => row['reservation_id'] as string),
        unneeded.map((row) => row['claimed_at'] as string),
      ],
    );
    return unneeded.length > 0 || rows.length < holdsPerUserMax;
  }

  async #claimAll(holds: readonly Hold[]): Promise<readonly boolean[]> {
    const { rows } = await this.#deps.directory.query(
      'SELECT claim_user_holds(lock_users($1), $2, $3) AS claimed',
      [...columns(holds), this.#deps.holdsPerUserMax],
    );
    return rows[0]!['claimed'] as unknown as boolean[];
  }

  async #releaseAll(holds: readonly Hold[]): Promise<readonly undefined[]> {
    await this.#deps.directory.query('SELECT release_user_holds(lock_users($1), $2)', columns(holds));
    return [];
  }
}

const columns = (holds: readonly Hold[]) => [
  holds.map(({ userId }) => userId),
  holds.map(({ reservationId }) => reservationId),
];

const isHeld = ({ userId, status }: Reservation, of: UserId): boolean =>
  userId === of && status === 'pending_payment';
