import { createHash } from 'node:crypto';
import { post } from '#payment/ledger/ledger.js';
import { captureOf, refundOf } from '#payment/ledger/payment-transfers.js';
import type { Sql } from '#platform/sql/sql.js';
import { eur } from './ledger-database.js';

export const dayMs = 86_400_000;

/** A settlement file of one day around these lines. */
export function fileOf(fileId: string, period: Date, lines: readonly string[], provider = 'psp'): Buffer {
  const to = new Date(period.getTime() + dayMs).toISOString();
  const body = `meridian-settlement,1,${fileId},${provider},${period.toISOString()},${to},${to}\n${lines.map((line) => `${line}\n`).join('')}`;
  const sum = (field: number) => lines.reduce((total, line) => total + Number(line.split(',')[field]), 0);
  const sha256 = createHash('sha256').update(body).digest('hex');
  return Buffer.from(`${body}end,${lines.length},${sum(4)},${sum(5)},${sha256}\n`);
}

/** A line about a charge, or about a refund of it. */
export function lineOf(
  order: string,
  minor: number,
  at: Date,
  {
    refund,
    status = 'succeeded',
    fee = 0,
    reference = 'p',
    currency = 'EUR',
  }: { refund?: string; status?: string; fee?: number; reference?: string; currency?: string } = {},
): string {
  const kind = refund === undefined ? 'charge' : 'refund';
  const time = at.toISOString();
  return [kind, order, refund ?? order, reference, minor, fee, currency, status, time].join();
}

/** An order that succeeded and was booked then; `reference` is the reference that the provider reported. */
export async function captured(
  sql: Sql,
  order: string,
  minor: number,
  at: Date,
  reference?: string,
): Promise<void> {
  await sql.query(
    'INSERT INTO payment_events (checkout_id, caller, is_payment_done, created_at) VALUES ($1, $2, true, $3)',
    [order, 'caller', at],
  );
  await sql.query(
    `INSERT INTO payment_orders (payment_order_id, checkout_id, position, buyer_account, seller_account, amount, amount_minor, currency,
       payment_order_status, ledger_updated, wallet_updated, is_final, captured_minor, expires_at,
       created_at, changed_at, psp_reference)
     VALUES ($1, $1, 0, 'buyer', 'DE02', '0', $2, 'EUR', 'SUCCESS', true, true, true, $2, $3, $3, $3, $4)`,
    [order, minor, at, reference ?? null],
  );
  await sql.transaction((tx) =>
    post(tx, [captureOf({ paymentOrderId: order, seller: 'DE02', amount: eur(minor) })], { at }),
  );
}

/** A refund that the provider has made and that was booked then: as in the program, the order changes too. */
export async function refunded(
  sql: Sql,
  order: string,
  refund: string,
  minor: number,
  at: Date,
): Promise<void> {
  await sql.query(
    `INSERT INTO payment_refunds (refund_id, payment_order_id, amount, amount_minor, currency, refund_status, reason, requested_by,
       ledger_updated, created_at, changed_at) VALUES ($1, $2, '0', $3, 'EUR', 'SUCCESS', 'r', 'caller', true, $4, $4)`,
    [refund, order, minor, at],
  );
  await sql.query(
    `UPDATE payment_orders SET refunding_minor = refunding_minor + $2, refunded_minor = refunded_minor + $2, version = version + 1, changed_at = $3
     WHERE payment_order_id = $1`,
    [order, minor, at],
  );
  await sql.transaction((tx) =>
    post(tx, [refundOf({ paymentOrderId: order, seller: 'DE02', amount: eur(minor), refundId: refund })], {
      at,
    }),
  );
}
