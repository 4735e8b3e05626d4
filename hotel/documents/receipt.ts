import { escapeHtml, htmlDocument } from '#platform/http/html.js';
import { moneyText } from '../hotels/money-text.js';
import type { Reservation } from '../reservations/reservation.js';
import { addDays } from '../reservations/stay-days.js';

export interface ReceiptOf {
  readonly reservation: Reservation;
  readonly bookingNumber: string;
  readonly hotelName: string;
  readonly address: string;
  readonly roomTypeName: string;
}

/**
 * What the guest paid, as a page without scripts. It states payments, not taxes: an invoice is another
 * document.
 */
export function receiptPage({ reservation, ...about }: ReceiptOf): string {
  const { currency, startDate, roomCount } = reservation;
  const money = (minor: bigint) => `${moneyText(minor, currency)} ${currency}`;
  const rows: (readonly [string, string])[] = [
    ['Booking number', about.bookingNumber],
    ['Hotel', `${about.hotelName}, ${about.address}`],
    ['Room type', `${roomCount} × ${about.roomTypeName}`],
    ['Arrival', startDate],
    ['Departure', addDays(reservation.endDate, 1)],
    ...reservation.nightPricesMinor.map((minor, night): readonly [string, string] => [
      `Night of ${addDays(startDate, night)}`,
      `${roomCount} × ${money(minor)}`,
    ]),
    ['Price', money(reservation.priceMinor)],
    ['Paid', money(reservation.paidMinor)],
    ...(reservation.refundedMinor > 0n ? [['Refunded', money(reservation.refundedMinor)] as const] : []),
    ...(reservation.disputedMinor > 0n
      ? [['Returned by your bank', money(reservation.disputedMinor)] as const]
      : []),
  ];
  const cells = rows.map(
    ([name, value]) => `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  const body = `<h1>Receipt</h1>\n<table>\n${cells.join('\n')}\n</table>`;
  return htmlDocument(`Receipt ${about.bookingNumber}`, '', body);
}
