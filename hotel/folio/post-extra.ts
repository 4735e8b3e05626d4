import type { SqlSession } from '#platform/sql/sql.js';
import { lockReservation } from '../reservations/locked-reservation.js';
import { giveExtrasBack } from '../reservations/paid-extras.js';
import type { Reservation } from '../reservations/reservation.js';
import type { FolioEntry } from './folio.js';
import { endPayLink } from './pay-link.js';
import { readEntries } from './read-folio.js';

/** Entries of one folio; further ones are refused. */
export const folioEntriesMax = 500;

export interface Extra {
  readonly reservationId: string;
  readonly entryId: string;
  readonly name: string;
  readonly amountMinor: bigint;
  readonly vatBasisPoints: number;
  readonly staffId: string;
  readonly reason: string;
}

export type EntryOutcome =
  | { readonly kind: 'posted' | 'repeated' }
  | { readonly kind: 'unknown' }
  /** Nobody has paid for the stay, or the folio is full. */
  | { readonly kind: 'refused'; readonly reservation: Reservation }
  | { readonly kind: 'full' }
  /** The id belongs to another entry. */
  | { readonly kind: 'differs' };

/** Staff charge something beside the nights, once for each `entryId`. */
export async function postExtra(tx: SqlSession, now: Date, extra: Extra): Promise<EntryOutcome> {
  const found = await lockReservation(tx, extra.reservationId, { staff: true });
  if (found === undefined) return { kind: 'unknown' };
  const entries = await readEntries(tx, found.reservationId);
  const known = entries.find(({ entryId }) => entryId === extra.entryId);
  if (known !== undefined) return { kind: isSame(known, extra) ? 'repeated' : 'differs' };
  if (found.paymentId === null) return { kind: 'refused', reservation: found };
  if (entries.length >= folioEntriesMax) return { kind: 'full' };
  await insert(tx, now, extra, null);
  return { kind: 'posted' };
}

export interface Voiding {
  readonly reservationId: string;
  /** Of the extra. */
  readonly entryId: string;
  readonly staffId: string;
  readonly reason: string;
}

/** Takes an extra back by a counter line; the extra stays. A void cannot be voided: post the extra again. */
export async function voidExtra(tx: SqlSession, now: Date, voiding: Voiding): Promise<EntryOutcome> {
  const found = await lockReservation(tx, voiding.reservationId, { staff: true });
  if (found === undefined) return { kind: 'unknown' };
  const entries = await readEntries(tx, found.reservationId);
  const extra = entries.find(({ entryId, voids }) => entryId === voiding.entryId && voids === null);
  if (extra === undefined) return { kind: 'unknown' };
  if (entries.some(({ voids }) => voids === extra.entryNo)) return { kind: 'repeated' };
  // Ids of clients have no blanks, so none of them is taken.
  const entryId = `void of ${extra.entryNo}`;
  const { name, vatBasisPoints } = extra;
  const counter = { ...voiding, entryId, name, vatBasisPoints, amountMinor: -extra.amountMinor };
  await insert(tx, now, counter, extra.entryNo);
  await endPayLink(tx, now, found);
  // Only a paid extra makes the reservation change.
  if (found.extrasPaidMinor > 0n) await giveExtrasBack(tx, now, found.reservationId);
  return { kind: 'posted' };
}

const isSame = (known: FolioEntry, extra: Extra): boolean =>
  known.voids === null &&
  known.name === extra.name &&
  known.amountMinor === extra.amountMinor &&
  known.vatBasisPoints === extra.vatBasisPoints;

async function insert(tx: SqlSession, now: Date, extra: Extra, voids: bigint | null): Promise<void> {
  await tx.query(
    `INSERT INTO folio_entry
       (reservation_id, entry_id, voids, name, amount_minor, vat_basis_points, staff_id, reason, at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      ...[extra.reservationId, extra.entryId, voids, extra.name, extra.amountMinor, extra.vatBasisPoints],
      ...[extra.staffId, extra.reason, now],
    ],
  );
}
