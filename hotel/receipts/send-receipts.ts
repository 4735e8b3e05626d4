import { type Mailer, MailRefused } from '#platform/mail/mailer.js';
import type { Sql } from '#platform/sql/sql.js';
import type { ReceiptFailure } from '#schemas/receipt-failures.js';
import type { Hotels } from '../hotels/hotels.js';
import type { Reservation } from '../reservations/reservation.js';
import type { Reservations } from '../reservations/reservations.js';
import { receiptLimits } from './limits.js';
import {
  giveUp,
  giveUpOldReceipts,
  markSent,
  type ReceiptJob,
  takeReceipts,
  tryAgainAt,
} from './receipt-jobs.js';
import { receiptLetter } from './receipt-letter.js';

export interface ReceiptDeps {
  /** The server of the hotels whose receipts this process sends. */
  readonly sql: Sql;
  /** Undefined: nothing is sent, and what waits for too long is given up. */
  readonly mailer: Mailer | undefined;
  readonly reservations: Pick<Reservations, 'get'>;
  readonly hotels: Pick<Hotels, 'get'>;
  readonly guests: {
    get(reservation: Reservation): Promise<{ readonly name: string; readonly email?: string } | undefined>;
  };
  readonly now: () => Date;
  /** Without anything of the guest. */
  readonly onTrouble: (reservationId: string, what: string) => void;
}

/**
 * Sends the receipts that are due, each at least once: a process that dies after the mail server took a
 * letter sends it again under the same Message-ID. Resolves with whether there may be more.
 */
export async function sendReceipts(deps: ReceiptDeps): Promise<boolean> {
  const { sql, mailer, now } = deps;
  await giveUpOldReceipts(sql, now());
  if (mailer === undefined) return false;
  const jobs = await takeReceipts(sql, now());
  await Promise.all(jobs.map((job) => sendOne({ ...deps, mailer }, job)));
  return jobs.length === receiptLimits.lettersAtOnce;
}

type Sending = ReceiptDeps & { readonly mailer: Mailer };

async function sendOne(deps: Sending, job: ReceiptJob): Promise<void> {
  const { sql, mailer, now, onTrouble } = deps;
  const { reservation_id: reservationId, payment_id: paymentId, attempts } = job;
  const end = async (failure: ReceiptFailure) => {
    onTrouble(reservationId, failure);
    await giveUp(sql, job, failure);
  };
  try {
    const letter = await letterFor(deps, reservationId, paymentId);
    if (letter === undefined) return await end('the guest has no address');
    await mailer.send(letter);
    await markSent(sql, job, now());
  } catch (error) {
    if (error instanceof MailRefused) return end('the mail server refused the address');
    if (attempts >= receiptLimits.attemptsMax) return end('the mail server did not take it');
    const waitMs = Math.min(receiptLimits.retryMs * 2 ** (attempts - 1), receiptLimits.retryMsMax);
    const { message } = error as Error;
    onTrouble(reservationId, message);
    // If the database failed, the lease is the pause.
    await tryAgainAt(sql, job, new Date(now().getTime() + waitMs), message.slice(0, 200)).catch(() => {});
  }
}

/** Undefined if nobody is left to write to: no guest, no address, or the data was erased. */
async function letterFor(deps: Sending, reservationId: string, paymentId: string) {
  const reservation = await deps.reservations.get(reservationId, { staff: true });
  const hotel = reservation && (await deps.hotels.get(reservation.hotelId));
  if (hotel === undefined) throw new Error('The hotel of the receipt was not found.');
  const guest = await deps.guests.get(reservation!);
  if (guest?.email === undefined) return undefined;
  const to = { name: guest.name, email: guest.email };
  return receiptLetter(deps.sql, { reservation: reservation!, hotel, paymentId, to });
}
