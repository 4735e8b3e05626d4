import type { Sql } from '#platform/sql/sql.js';
import { earlierHistory } from './earlier-history.js';

/**
 * Migrates an empty database to the schema of commit 54c4947, with rows in all tables. Its ledger has two
 * batches with seals of the first form, as one older than that commit, and three of the second: money is
 * received, reserved, paid out, and refunded. The wallets have applied the first three batches.
 */
export async function fillPayment(sql: Sql): Promise<void> {
  const history = earlierHistory('payment');
  await sql.migrate(
    'payment',
    history.filter(({ name }) => name < '0076'),
  );
  await sql.query(accounts);
  for (const batch of batches.slice(0, 2)) await sql.query(`${insert} ${batch}`);
  await sql.migrate('payment', history);
  for (const batch of batches.slice(2, 3)) await sql.query(`${insert} ${batch}`);
  await sql.query('SELECT wallet_advance(NULL, 100)');
  for (const batch of batches.slice(3)) await sql.query(`${insert} ${batch}`);
  await sql.query(rows);
}

/** Numbers 1 to 4. */
const accounts = `INSERT INTO ledger_account (id, type, currency, overdraft_refused) VALUES
  ('cash-psp:EUR', 'asset', 'EUR', false), ('seller:DE:EUR', 'liability', 'EUR', false),
  ('seller:FR:EUR', 'liability', 'EUR', false), ('cash-bank:EUR', 'asset', 'EUR', false)`;

const insert = `INSERT INTO ledger_transfer (batch_no, posted_at, debit_account, debit_sequence, debit_balance,
  credit_account, credit_sequence, credit_balance, amount, released, leg, currency, subject, operation, kind,
  phase, resolves) VALUES`;

const batches = [
  `(1, '2100-01-01Z', 1, 1, 100, 2, 1, -100, 100, 0, 0, 'EUR', 'o-1', 'capture', 'capture', 'posted', NULL),
   (1, '2100-01-01Z', 1, 2, 107, 3, 1, -7, 7, 0, 0, 'EUR', 'o-2', 'capture', 'capture', 'posted', NULL)`,
  `(2, '2100-01-02Z', 2, 2, -100, 4, 1, 0, 30, 0, 0, 'EUR', 'p-1', 'pay', 'payout', 'pending', NULL),
   (2, '2100-01-02Z', 1, 3, 167, 2, 3, -160, 60, 0, 0, 'EUR', 'o-3', 'capture', 'capture', 'posted', NULL)`,
  `(3, '2100-01-03Z', 2, 4, -140, 4, 2, -20, 20, 30, 0, 'EUR', 'p-1', 'end', 'payout', 'post', 'pay')`,
  `(4, '2100-01-04Z', 2, 5, -140, 4, 3, -20, 5, 0, 0, 'EUR', 'p-2', 'pay', 'payout', 'pending', NULL)`,
  `(5, '2100-01-05Z', 2, 6, -129, 1, 4, 156, 11, 0, 0, 'EUR', 'o-3', 'refund:r-1', 'refund', 'posted', NULL)`,
];

/** One of every other table; the decision is one that today needs a second person. */
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
