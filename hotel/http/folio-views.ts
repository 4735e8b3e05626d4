import type { FolioView, InvoicesView, PayLinkView } from '#schemas/http/hotel-folio.js';
import type { Folio } from '../folio/folio.js';
import type { Invoice, InvoiceLine } from '../folio/invoices.js';
import { moneyText } from '../hotels/money-text.js';
import type { Reservation } from '../reservations/reservation.js';

export function folioView(folio: Folio): FolioView {
  const { reservationId, hotelId, status, currency } = folio.reservation;
  const money = (minor: bigint) => moneyText(minor, currency);
  return {
    reservationID: reservationId,
    hotelID: hotelId,
    status,
    currency,
    charges: folio.charges.map(({ key, kind, name, date, amountMinor }) => ({
      id: key,
      kind,
      name,
      ...(date === undefined ? {} : { date }),
      amount: money(amountMinor),
    })),
    taxes: folio.includedTaxes.map(({ name, amountMinor }) => ({ name, amount: money(amountMinor) })),
    payments: folio.payments.map(({ id, paymentOrderId, kind, status: state, at, amountMinor }) => ({
      id,
      paymentOrderID: paymentOrderId,
      kind,
      status: state,
      at: at.toISOString(),
      amount: money(amountMinor),
    })),
    totals: {
      charges: money(folio.chargesMinor),
      payments: money(folio.paymentsMinor),
      balance: money(folio.balanceMinor),
    },
  };
}

export function invoicesView(reservationID: string, invoices: readonly Invoice[]): InvoicesView {
  return { reservationID, invoices: invoices.map(invoiceView) };
}

function invoiceView(invoice: Invoice): InvoicesView['invoices'][number] {
  const { hotelId, number, kind, issuer, issuedAt, currency, totalMinor, lines, taxes } = invoice;
  const money = (minor: bigint) => moneyText(minor, currency);
  const taxesMinor = taxes.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  const lineView = ({ name, date, amountMinor }: InvoiceLine) => ({
    name,
    ...(date === undefined ? {} : { date }),
    amount: money(amountMinor),
  });
  return {
    hotelID: hotelId,
    number: String(number),
    kind,
    issuer: { ...issuer },
    issuedAt: issuedAt.toISOString(),
    currency,
    lines: lines.map(lineView),
    taxes: taxes.map(({ name, amountMinor }) => ({ name, amount: money(amountMinor) })),
    net: money(totalMinor - taxesMinor),
    total: money(totalMinor),
  };
}

/** Of a reservation that has an open one. */
export function payLinkView({ reservationId, currency, supplement }: Reservation): PayLinkView {
  const { id, amountMinor, expiresAt } = supplement!;
  return {
    reservationID: reservationId,
    supplementID: id,
    amount: moneyText(amountMinor, currency),
    currency,
    expiresAt: expiresAt.toISOString(),
  };
}
