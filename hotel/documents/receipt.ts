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
  readonly guestName?: string;
}

/**
 * What the guest paid, as a page without scripts. It states payments, not taxes: an invoice is another
 * document.
 */
export function receiptPage(receipt: ReceiptOf): string {
  const cells = rowsOf(receipt).map(
    ([name, value]) => `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`,
  );
  const body = `<h1>Receipt</h1>\n<table>\n${cells.join('\n')}\n</table>`;
  return htmlDocument(`Receipt ${receipt.bookingNumber}`, '', body);
}

/** The same as text, one line for each fact. */
export const receiptText = (receipt: ReceiptOf): string =>
  `Receipt\n\n${rowsOf(receipt)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')}`;

function rowsOf({ reservation, ...about }: ReceiptOf): ReadonlyArray<readonly [string, string]> {
  const { currency, startDate, roomCount } = reservation;
  const money = (minor: bigint) => `${moneyText(minor, currency)} ${currency}`;
  return [
    ['Booking number', about.bookingNumber],
    ...(about.guestName === undefined ? [] : [['Guest', about.guestName] as const]),
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
}
