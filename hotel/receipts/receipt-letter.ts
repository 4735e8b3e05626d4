import { createHash } from 'node:crypto';
import type { Mail } from '#platform/mail/mailer.js';
import type { SqlSession } from '#platform/sql/sql.js';
import { calendarFile } from '../documents/calendar-file.js';
import { receiptPage, receiptText } from '../documents/receipt.js';
import { calendarStayOf, receiptOf } from '../documents/stay-documents.js';
import type { Hotel } from '../hotels/hotel.js';
import { bookingNumberIn } from '../reservations/booking-number.js';
import type { Reservation } from '../reservations/reservation.js';

/** Marks that change the direction of the text after them, and controls: they could hide what follows. */
const misleading = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const plain = (text: string): string => text.replaceAll(misleading, ' ');

/** The receipt as HTML and as text, with the stay as a calendar file. */
export async function receiptLetter(
  sql: SqlSession,
  about: {
    readonly reservation: Reservation;
    readonly hotel: Hotel;
    readonly paymentId: string;
    readonly to: { readonly name: string; readonly email: string };
  },
): Promise<Mail> {
  const { reservation, hotel, paymentId, to } = about;
  const bookingNumber = bookingNumberIn(reservation);
  if (bookingNumber === undefined) throw new Error('A reservation without a payment has no receipt.');
  const receipt = { ...receiptOf(reservation, hotel, bookingNumber), guestName: plain(to.name) };
  const stay = await calendarStayOf(sql, reservation, hotel, bookingNumber);
  return {
    // Ids of clients may have any character; a payment has one letter, however often it is sent.
    id: `receipt-${createHash('sha256').update(`${reservation.reservationId}\n${paymentId}`).digest('hex')}`,
    to: to.email,
    subject: `Receipt for booking ${bookingNumber}, ${plain(hotel.name)}`,
    text: receiptText(receipt),
    html: receiptPage(receipt),
    attachments: [
      { name: `${bookingNumber}.ics`, type: 'text/calendar; charset=utf-8', content: calendarFile(stay) },
    ],
  };
}
