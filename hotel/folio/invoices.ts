import type { SqlRow, SqlSession } from '#platform/sql/sql.js';
import { lockReservation } from '../reservations/locked-reservation.js';
import type { Reservation } from '../reservations/reservation.js';
import type { Actor } from '../reservations/reservations.js';
import type { Folio } from './folio.js';
import { type ReadPayments, readFolio } from './read-folio.js';

export interface InvoiceLine {
  readonly key: string;
  readonly name: string;
  readonly date?: string;
  readonly amountMinor: bigint;
}

/** A document that never changes. Guests are not on it: who they are is read when it is shown. */
export interface Invoice {
  readonly hotelId: string;
  /** From 1 in each hotel, without a gap. */
  readonly number: bigint;
  readonly reservationId: string;
  readonly kind: 'invoice' | 'credit-note';
  readonly totalMinor: bigint;
  readonly currency: string;
  readonly issuer: { readonly name: string; readonly address: string };
  readonly lines: readonly InvoiceLine[];
  /** VAT that is a part of the total. */
  readonly taxes: readonly InvoiceLine[];
  readonly issuedAt: Date;
}

export type IssueOutcome =
  | { readonly kind: 'issued' | 'unchanged'; readonly invoices: readonly Invoice[] }
  | { readonly kind: 'unknown' }
  /** Nothing was paid, so there is nothing to invoice. */
  | { readonly kind: 'refused'; readonly reservation: Reservation };

export interface Issuing {
  readonly reservationId: string;
  readonly actor: Actor;
  readonly by: string;
  readonly readPayments: ReadPayments;
}

/**
 * Issues what no document has yet: the folio's charges less those of all earlier documents, line by line. The
 * sum of all documents of a stay is therefore the sum of its charges. Less than before is a credit note.
 * Nothing is issued when nothing changed.
 */
export async function issueInvoice(
  tx: SqlSession,
  now: Date,
  { reservationId, actor, by, readPayments }: Issuing,
): Promise<IssueOutcome> {
  const found = await lockReservation(tx, reservationId, actor);
  if (found === undefined) return { kind: 'unknown' };
  if (found.paymentId === null) return { kind: 'refused', reservation: found };
  const folio = await readFolio(tx, found, readPayments);
  const before = await readInvoices(tx, reservationId);
  const lines = less(
    folio.charges,
    before.map((one) => one.lines),
  );
  const taxes = less(
    folio.includedTaxes,
    before.map((one) => one.taxes),
  );
  const totalMinor = lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  if (totalMinor === 0n && taxes.length === 0 && (before.length > 0 || lines.length === 0))
    return { kind: 'unchanged', invoices: before };
  const made = await store(tx, now, folio, { lines, taxes, totalMinor, by });
  return { kind: 'issued', invoices: [...before, made] };
}

/** In the order of their numbers. */
export async function readInvoices(sql: SqlSession, reservationId: string): Promise<readonly Invoice[]> {
  const { rows } = await sql.query('SELECT * FROM invoice WHERE reservation_id = $1 ORDER BY number', [
    reservationId,
  ]);
  return rows.map(invoiceOf);
}

/** What is left of each line; a line that is gone now is taken back. */
function less(
  current: readonly InvoiceLine[],
  issued: readonly (readonly InvoiceLine[])[],
): readonly InvoiceLine[] {
  const left = new Map(current.map((line) => [line.key, line]));
  for (const line of issued.flat()) {
    const { amountMinor } = left.get(line.key) ?? { amountMinor: 0n };
    left.set(line.key, { ...line, ...left.get(line.key), amountMinor: amountMinor - line.amountMinor });
  }
  return [...left.values()].filter(({ amountMinor }) => amountMinor !== 0n);
}

async function store(
  tx: SqlSession,
  now: Date,
  { reservation: { hotelId, reservationId, currency } }: Folio,
  document: Pick<Invoice, 'lines' | 'taxes' | 'totalMinor'> & { readonly by: string },
): Promise<Invoice> {
  const { lines, taxes, totalMinor, by } = document;
  const { rows } = await tx.query(
    `WITH next AS (INSERT INTO invoice_number (hotel_id, newest) VALUES ($1, 1)
       ON CONFLICT (hotel_id) DO UPDATE SET newest = invoice_number.newest + 1 RETURNING newest)
     INSERT INTO invoice (hotel_id, number, reservation_id, kind, total_minor, currency, issuer, lines, taxes, issued_at, issued_by)
     SELECT $1, next.newest, $2, $3, $4, $5, jsonb_build_object('name', h.name, 'address', h.address), $6, $7, $8, $9
     FROM next, hotel h WHERE h.hotel_id = $1 RETURNING *`,
    [
      ...[hotelId, reservationId, totalMinor < 0n ? 'credit-note' : 'invoice', totalMinor, currency],
      ...[JSON.stringify(lines.map(plain)), JSON.stringify(taxes.map(plain)), now, by],
    ],
  );
  return invoiceOf(rows[0]!);
}

const plain = ({ key, name, date, amountMinor }: InvoiceLine) => ({
  key,
  name,
  ...(date === undefined ? {} : { date }),
  amountMinor: String(amountMinor),
});

type PlainLine = Omit<InvoiceLine, 'amountMinor'> & { readonly amountMinor: string };

const linesOf = (lines: unknown): readonly InvoiceLine[] =>
  (lines as readonly PlainLine[]).map((line) => ({ ...line, amountMinor: BigInt(line.amountMinor) }));

const invoiceOf = (row: SqlRow): Invoice => ({
  hotelId: row['hotel_id'] as string,
  number: row['number'] as bigint,
  reservationId: row['reservation_id'] as string,
  kind: row['kind'] as Invoice['kind'],
  totalMinor: row['total_minor'] as bigint,
  currency: row['currency'] as string,
  issuer: row['issuer'] as Invoice['issuer'],
  lines: linesOf(row['lines']),
  taxes: linesOf(row['taxes']),
  issuedAt: row['issued_at'] as Date,
});
