import { createHash } from 'node:crypto';
import type { Guest } from '../guests/guest.js';
import { moneyText } from '../hotels/money-text.js';
import type { Reservation } from '../reservations/reservation.js';
import type { Invoice, InvoiceLine } from './invoices.js';

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text with a direction of its own: a name in Arabic, or one with controls, moves nothing beside it. */
const text = (value: string): string => `<bdi>${value.replace(/[&<>"']/g, (one) => escapes[one]!)}</bdi>`;

const style =
  'body{font:15px/1.5 sans-serif;max-width:46em;margin:2em auto;padding:0 1em;overflow-wrap:anywhere}' +
  'table{width:100%;border-collapse:collapse}td,th{padding:.3em 0;text-align:start;vertical-align:top}' +
  'td:last-child,th:last-child{text-align:end;white-space:nowrap}' +
  'tfoot td{border-top:1px solid;font-weight:bold}' +
  'article+article{break-before:page;margin-top:4em}';

const styleHash = createHash('sha256').update(style).digest('base64');

/** Nothing runs, nothing comes from elsewhere, and no other style counts than this file's. */
export const invoicePageHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'`,
} as const;

/** All documents of a stay to print, each on a page of its own. `guest` is absent once erased. */
export function invoicePage(
  invoices: readonly Invoice[],
  reservation: Reservation,
  guest: Guest | undefined,
): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Invoice</title><style>${style}</style></head>` +
    `<body>${invoices.map((invoice) => document(invoice, reservation, guest)).join('')}</body></html>`
  );
}

function document(invoice: Invoice, reservation: Reservation, guest: Guest | undefined): string {
  const { kind, number, issuer, currency, totalMinor, lines, taxes, issuedAt } = invoice;
  const money = (minor: bigint) => `${moneyText(minor, currency)}&nbsp;${currency}`;
  const row = ({ name, date, amountMinor }: InvoiceLine) =>
    `<tr><td>${text(name)}</td><td>${date ?? ''}</td><td>${money(amountMinor)}</td></tr>`;
  const included = ({ name, amountMinor }: InvoiceLine) =>
    `<tr><td>Includes ${text(name)}</td><td>${money(amountMinor)}</td></tr>`;
  const taxesMinor = taxes.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  const { reservationId, startDate, endDate } = reservation;
  return (
    `<article><h1>${kind === 'invoice' ? 'Invoice' : 'Credit note'} ${number}</h1>` +
    `<p>${text(issuer.name)}<br>${text(issuer.address)}</p>` +
    `<p>${guest === undefined ? '' : `${text(guest.name)}<br>`}Reservation ${text(reservationId)}<br>` +
    `Nights from ${startDate} to ${endDate}<br>Issued ${issuedAt.toISOString().slice(0, 10)}</p>` +
    `<table><thead><tr><th>Charge</th><th>Night</th><th>Amount</th></tr></thead><tbody>${lines.map(row).join('')}` +
    `</tbody><tfoot><tr><td colspan="2">Total</td><td>${money(totalMinor)}</td></tr></tfoot></table>` +
    `<table><tbody>${taxes.map(included).join('')}` +
    `<tr><td>Without these taxes</td><td>${money(totalMinor - taxesMinor)}</td></tr></tbody></table></article>`
  );
}
