import { accountOf, sellerAccount } from '#payment/ledger/accounts.js';
import { post } from '#payment/ledger/ledger.js';
import { captureOf, refundOf } from '#payment/ledger/payment-transfers.js';
import type { Transfer } from '#payment/ledger/transfer.js';
import { parseCurrency } from '#payment/money/currency.js';
import { advanceWallets } from '#payment/wallet/wallet.js';
import type { Sql } from '#platform/sql/sql.js';
import { earlierHistory } from './earlier-history.js';

const currency = parseCurrency('EUR')!;
export const eur = (minor: number) => ({ minor: BigInt(minor), currency });
export const day = (n: number) => new Date(Date.UTC(2100, 0, n));
export const capture = (order: string, minor: number, seller = 'DE') =>
  captureOf({ paymentOrderId: order, seller, amount: eur(minor) });

const debit = sellerAccount('DE', currency);
const payout = (id: string, minor: number): Transfer => ({
  ...{ subject: id, operation: 'pay', kind: 'payout', phase: 'pending' },
  legs: [{ debit, credit: accountOf('cash-bank', currency), amount: eur(minor) }],
});

/** A batch a day: money that comes, is reserved, paid out, and goes back. */
const batches: ReadonlyArray<readonly Transfer[]> = [
  [capture('o-1', 100), capture('o-2', 7, 'FR')],
  [payout('p-1', 30), capture('o-3', 60)],
  [{ ...payout('p-1', 20), operation: 'end', phase: 'post', resolves: 'pay' }],
  [payout('p-2', 5)],
  [refundOf({ paymentOrderId: 'o-3', seller: 'DE', amount: eur(11), refundId: 'r-1' })],
];

/**
 * Brings an empty database to the schema of commit 54c4947. Its ledger has two batches with seals of the first
 * form, as one that is older than that commit, and others of the second; the wallets know the first three.
 */
export async function fillPayment(sql: Sql): Promise<void> {
  const history = earlierHistory('payment');
  await sql.migrate(
    'payment',
    history.filter(({ name }) => name < '0076'),
  );
  // The batches of that time had no places, which today's posting writes.
  await sql.query('ALTER TABLE ledger_transfer ADD COLUMN place smallint');
  await postBatches(sql, 0, 2);
  await sql.query('ALTER TABLE ledger_transfer DROP COLUMN place');
  await sql.migrate('payment', history);
  await postBatches(sql, 2, 3);
  await sql.transaction((tx) => advanceWallets(tx));
  await postBatches(sql, 3, batches.length);
  await sql.query(rows);
}

async function postBatches(sql: Sql, from: number, to: number): Promise<void> {
  for (const [n, transfers] of batches.entries())
    if (n >= from && n < to) await sql.transaction((tx) => post(tx, transfers, { at: day(n) }));
}

/** Of every other table; the decision is one that today needs a second person. */
const rows = `
  INSERT INTO payment_events (checkout_id, caller, buyer_info, is_payment_done, created_at)
    VALUES ('c-1', 'shop', '{"name":"Ada"}', true, now()), ('c-2', 'shop', NULL, false, now());
  INSERT INTO payment_orders (payment_order_id, checkout_id, position, buyer_account, seller_account, amount,
      amount_minor, currency, expires_at, created_at, changed_at)
    VALUES ('o-1', 'c-1', 0, 'ada', 'DE', '1.00', 100, 'EUR', now(), now(), now()),
      ('o-4', 'c-2', 0, 'ada', 'DE', '2.00', 200, 'EUR', now() + interval '1 hour', now(), now());
  UPDATE payment_orders SET payment_order_status = 'EXECUTING', version = 2, psp_token = 't-' || payment_order_id;
  UPDATE payment_orders SET payment_order_status = 'SUCCESS', is_final = true, captured_minor = 100, version = 3,
    ledger_updated = true, wallet_updated = true, refunding_minor = 40 WHERE payment_order_id = 'o-1';
  INSERT INTO payment_order_history VALUES ('o-1', 2, 'NOT_STARTED', 'EXECUTING', 'start', 'executor', now());
  INSERT INTO payment_requests VALUES ('shop', 'pay', 'key', sha256('body'), 'c-1', now(), now());
  INSERT INTO payment_refunds (refund_id, payment_order_id, amount, amount_minor, currency, reason, requested_by,
      created_at, changed_at) VALUES ('r-1', 'o-1', '0.40', 40, 'EUR', 'broken', 'eva', now(), now());
  INSERT INTO payment_disputes VALUES ('d-1', 'o-1', 60, 'EUR', 'OPENED', now(), NULL);
  INSERT INTO payment_webhooks VALUES ('w-1', 'capture', 'o-1', 'applied', now());
  INSERT INTO payment_outbox (event_id, topic, key, payload, created_at) VALUES ('o-1/3', 't', 'o-1', '{}', now());
  INSERT INTO payment_leases VALUES ('relay', 'one', now());
  INSERT INTO payment_risk_checks (payment_order_id, decision, reason, source, at)
    VALUES ('o-1', 'allow', '', 'rules', now());
  INSERT INTO payment_dead_letters (kind, subject_id, cause, attempts, at) VALUES ('payment', 'o-4', 'gone', 9, now());
  INSERT INTO payment_mail_jobs (event_id, payment_order_id, caller, subject, created_at)
    VALUES ('o-1/3', 'o-1', 'shop', 'paid', now());
  INSERT INTO payout (payout_id, seller_account, currency, amount_minor, period, next_attempt_at, requested_by,
      created_at, changed_at) VALUES ('p-2', 'DE', 'EUR', 5, '2026-10', now(), 'schedule', now(), now());
  INSERT INTO settlement_file (file_id, provider, sha256, period_from, period_to, lines, received_at)
    VALUES ('f-1', 'psp', '00', '2026-10-01', '2026-10-02', 1, now());
  INSERT INTO settlement_line VALUES (1, 1, 'payment', 'o-1', 'capture', 'ref', 100, 1, 'EUR', true, now());
  INSERT INTO settlement_refusal (source, reason, detail, at) VALUES ('f-0', 'sum', '', now());
  INSERT INTO reconciliation_finding (file_no, line_no, kind, class, payment_order_id, state, found_at, changed_at)
    VALUES (1, 1, 'amount', 2, 'o-1', 'adjusted', now(), now());
  INSERT INTO finance_decision (finding_no, action, debit, credit, amount_minor, currency, who, why, at, needs_second)
    VALUES (1, 'adjust', 'seller:DE:EUR', 'cash-psp:EUR', 1, 'EUR', 'eva', 'rounding', now(), false);
  INSERT INTO finance_approval VALUES (1, 'bob', now());`;
