import type { SqlSession } from '#platform/sql/sql.js';
import { lockReservation } from '../reservations/locked-reservation.js';
import { extrasMinorOf } from '../reservations/paid-extras.js';
import type { Reservation } from '../reservations/reservation.js';
import { closeSupplement, openSupplement, readOpenSupplement } from '../reservations/supplements.js';

/** How long a link can be paid. */
const payLinkMs = 24 * 3_600_000;

export type LinkOutcome =
  /** `reservation.supplement` is what the guest is asked for; the same as before if nothing changed since. */
  | { readonly kind: 'opened' | 'repeated'; readonly reservation: Reservation }
  | { readonly kind: 'unknown' }
  /** Nobody has paid for the stay. */
  | { readonly kind: 'refused'; readonly reservation: Reservation }
  /** All extras are paid. */
  | { readonly kind: 'nothing-open' }
  /** A change waits to be paid: one amount at a time. */
  | { readonly kind: 'change-waits' };

/** Asks the guest for what is open of the extras. */
export async function openPayLink(tx: SqlSession, now: Date, reservationId: string): Promise<LinkOutcome> {
  const found = await lockReservation(tx, reservationId, { staff: true });
  if (found === undefined) return { kind: 'unknown' };
  if (found.paymentId === null) return { kind: 'refused', reservation: found };
  const open = await readOpenSupplement(tx, found);
  if (open !== undefined && open.stay !== null) return { kind: 'change-waits' };
  const amountMinor = (await extrasMinorOf(tx, reservationId)) - found.extrasPaidMinor;
  if (amountMinor <= 0n) return { kind: 'nothing-open' };
  if (open?.amountMinor === amountMinor && open.expiresAt > now)
    return { kind: 'repeated', reservation: found };
  await endPayLink(tx, now, found);
  const expiresAt = new Date(now.getTime() + payLinkMs);
  const reservation = await openSupplement(tx, now, reservationId, { amountMinor, expiresAt, stay: null });
  return { kind: 'opened', reservation };
}

/** The amount of a link is no longer right. */
export async function endPayLink(tx: SqlSession, now: Date, found: Reservation): Promise<void> {
  const open = await readOpenSupplement(tx, found);
  if (open !== undefined && open.stay === null) await closeSupplement(tx, now, open, 'ended');
}
