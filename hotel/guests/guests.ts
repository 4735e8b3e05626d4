import type { Envelope } from '#platform/encryption/envelope.js';
import type { Sql, SqlRow, SqlSession } from '#platform/sql/sql.js';
import { queueReceiptsAgain } from '../receipts/receipt-jobs.js';
import { lockReservation } from '../reservations/locked-reservation.js';
import type { Reservation } from '../reservations/reservation.js';
import type { Actor, SealedGuest } from '../reservations/reservations.js';
import { taxesOnTop } from '../taxes/tax-lines.js';
import { type Guest, sleepsAtMost } from './guest.js';

export type PutGuestOutcome =
  | { readonly kind: 'changed' }
  | { readonly kind: 'unknown' }
  /** The stay is over, or was cancelled. */
  | { readonly kind: 'refused'; readonly reservation: Reservation }
  | { readonly kind: 'too-many-guests'; readonly sleeps: number }
  /** A tax by persons would change the price. */
  | { readonly kind: 'changes-price' };

const open: ReadonlySet<string> = new Set(['pending_payment', 'paid', 'payment_returned', 'checked_in']);

/**
 * The guests of reservations, encrypted with a key each. Names and addresses leave it only by `get` and
 * `names`.
 */
export class Guests {
  readonly #sql: Sql;
  readonly #everywhere: readonly Sql[];
  readonly #envelope: Envelope;

  /** `everywhere`: all databases of hotels, when there are several. */
  constructor({
    sql,
    everywhere = [sql],
    envelope,
  }: {
    readonly sql: Sql;
    readonly everywhere?: readonly Sql[];
    readonly envelope: Envelope;
  }) {
    this.#sql = sql;
    this.#everywhere = everywhere;
    this.#envelope = envelope;
  }

  /** For a new reservation, which stores it in its own transaction. */
  seal(reservationId: string, { guests, ...person }: Guest): SealedGuest {
    return { guests, ...this.#envelope.seal(JSON.stringify(person), reservationId) };
  }

  /** Undefined if none was given, or it was erased. The caller has checked who may see the reservation. */
  async get({ reservationId, guests }: Reservation): Promise<Guest | undefined> {
    const person = (await this.#open([reservationId])).get(reservationId);
    return person && { ...person, guests: guests ?? 1 };
  }

  /** By reservation, without those that `get` has no guest of. The caller has checked the same as there. */
  async names(reservationIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const people = await this.#open(reservationIds);
    return new Map([...people].map(([reservationId, { name }]) => [reservationId, name]));
  }

  async #open(reservationIds: readonly string[]): Promise<ReadonlyMap<string, Omit<Guest, 'guests'>>> {
    const { rows } = await this.#sql.query<SealedRow>(
      `SELECT reservation_id, wrapped_key, sealed FROM guest_key JOIN guest USING (reservation_id)
       WHERE reservation_id = ANY ($1)`,
      [reservationIds],
    );
    return new Map(
      rows.map(({ reservation_id: id, wrapped_key: wrappedKey, sealed }) => [
        id,
        JSON.parse(this.#envelope.open({ wrappedKey, sealed }, id)) as Omit<Guest, 'guests'>,
      ]),
    );
  }

  /** Replaces the guest, with a new key. The number of people changes only where the price stays. */
  async put(reservationId: string, actor: Actor, guest: Guest, now: Date): Promise<PutGuestOutcome> {
    const { guests, wrappedKey, sealed } = this.seal(reservationId, guest);
    return this.#sql.transaction(async (tx) => {
      const found = await lockReservation(tx, reservationId, actor);
      if (found === undefined) return { kind: 'unknown' };
      if (!open.has(found.status)) return { kind: 'refused', reservation: found };
      if (guests !== found.guests) {
        const sleeps = sleepsAtMost(await capacityOf(tx, found), found.roomCount);
        if (guests > sleeps) return { kind: 'too-many-guests', sleeps };
        if (taxesOnTop({ ...found, guests }) !== taxesOnTop(found)) return { kind: 'changes-price' };
        await tx.query('UPDATE reservation SET guests = $2, updated_at = $3 WHERE reservation_id = $1', [
          reservationId,
          guests,
          now,
        ]);
      }
      await tx.query('DELETE FROM guest_key WHERE reservation_id = $1', [reservationId]);
      await tx.query('INSERT INTO guest_key (reservation_id, user_id, wrapped_key) VALUES ($1, $2, $3)', [
        reservationId,
        found.userId,
        wrappedKey,
      ]);
      await tx.query('INSERT INTO guest (reservation_id, sealed) VALUES ($1, $2)', [reservationId, sealed]);
      if (guest.email !== undefined) await queueReceiptsAgain(tx, reservationId);
      return { kind: 'changed' };
    });
  }

  /** Erases by deleting the keys. Answers how many reservations had a guest. */
  async erase(of: { readonly userId: string } | { readonly reservationId: string }): Promise<number> {
    const [column, id] = 'userId' in of ? ['user_id', of.userId] : ['reservation_id', of.reservationId];
    const databases = column === 'user_id' ? this.#everywhere : [this.#sql];
    let erased = 0;
    for (const sql of databases) {
      // A copy of a hotel that is on its way here follows what happens there. Old rows of one that has left
      // are refused until they are deleted, so nobody is missed between the servers.
      const { rowCount } = await sql.query(
        `DELETE FROM guest_key k WHERE ${column} = $1 AND NOT EXISTS (
           SELECT FROM reservation r JOIN hotel_fence f ON f.hotel_id = r.hotel_id AND f.state = 'arriving'
           WHERE r.reservation_id = k.reservation_id)`,
        [id],
      );
      erased += rowCount;
    }
    return erased;
  }
}

interface SealedRow extends SqlRow {
  readonly reservation_id: string;
  readonly wrapped_key: Uint8Array;
  readonly sealed: Uint8Array;
}

async function capacityOf(tx: SqlSession, { hotelId, roomTypeId }: Reservation): Promise<number> {
  const { rows } = await tx.query<{ readonly capacity: number }>(
    'SELECT capacity FROM room_type WHERE hotel_id = $1 AND room_type_id = $2',
    [hotelId, roomTypeId],
  );
  return rows[0]!.capacity;
}
