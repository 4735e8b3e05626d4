import { randomUUID } from 'node:crypto';
import type { Sql } from '#platform/sql/sql.js';

/**
 * The best possible solution in the database alone: a function that writes, for a payment without errors, all
 * rows that ours writes (key, event, order, its state history, four messages, the buyer's count, the lists of
 * its merchant, the transfer, the balances of its two accounts, the wallet), in one statement and one commit.
 * It calls no provider, appends to no log and checks nothing.
 */
export async function preparePeer(sql: Sql): Promise<void> {
  const tables = [
    'payment_requests',
    'payment_events',
    'payment_orders',
    'payment_order_history',
    'payment_risk_checks',
    'payment_buyer_events',
    'merchant_payment',
    'merchant_entry',
    'payment_webhooks',
    'payment_outbox',
    'ledger_transfer',
  ];
  for (const table of tables) await sql.query(`CREATE TABLE peer_${table} (LIKE ${table} INCLUDING ALL)`);
  await sql.query(`
CREATE TABLE peer_account (account text PRIMARY KEY, sequence bigint NOT NULL, balance bigint NOT NULL) WITH (fillfactor = 50);
CREATE FUNCTION peer_pay(order_id text, checkout text, key text, seller text, minor bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE at timestamptz := clock_timestamp(); debit peer_account; credit peer_account;
BEGIN
  INSERT INTO peer_payment_requests VALUES ('ada', 'POST /v1/payments', key, sha256(key::bytea), checkout, at, at);
  INSERT INTO peer_payment_events VALUES (checkout, 'ada', '{"name":"Ada"}', NULL, '{"token":"tok_captured"}', true, at);
  INSERT INTO peer_payment_orders (payment_order_id, checkout_id, position, buyer_account, seller_account, amount, amount_minor, currency,
      payment_order_status, ledger_updated, wallet_updated, is_final, version, attempts, psp_reference, psp_sequence, captured_minor,
      expires_at, created_at, changed_at)
    VALUES (order_id, checkout, 0, 'ada', seller, minor::text, minor, 'EUR', 'SUCCESS', true, true, true, 5, 1, order_id, 2, minor, at, at, at);
  INSERT INTO peer_payment_order_history VALUES
    (order_id, 2, 'NOT_STARTED', 'EXECUTING', 'started', 'executor', at), (order_id, 3, 'EXECUTING', 'SUCCESS', 'captured', 'executor', at);
  INSERT INTO peer_payment_risk_checks (payment_order_id, decision, reason, source, at) VALUES (order_id, 'allow', 'rules', 'rules', at);
  INSERT INTO peer_payment_buyer_events VALUES (sha256(order_id::bytea), checkout, at);
  INSERT INTO peer_merchant_payment VALUES (seller, at, order_id, 'ada', minor, 'EUR');
  INSERT INTO peer_payment_webhooks VALUES ('msg_' || order_id, 'payment.captured', order_id, 'stale', at);
  INSERT INTO peer_payment_outbox (event_id, topic, key, payload, created_at, sent_at)
    SELECT order_id || ':' || v, 'payment.order.lifecycle.v1', order_id, jsonb_build_object('eventId', order_id || ':' || v, 'kind', v,
      'paymentOrderId', order_id, 'checkoutId', checkout, 'sequence', v, 'status', 2, 'amountMinor', minor, 'currency', 'EUR',
      'sellerAccount', seller, 'caller', 'ada', 'reason', 'captured', 'pspReference', order_id, 'subjectId', '', 'occurredMs', 0), at, at
    FROM generate_series(1, 4) v;
  INSERT INTO peer_account AS a VALUES ('seller:' || seller, 1, -minor)
    ON CONFLICT (account) DO UPDATE SET sequence = a.sequence + 1, balance = a.balance - minor RETURNING * INTO credit;
  INSERT INTO peer_merchant_entry VALUES (1000000 + hashtext(seller), credit.sequence, credit.sequence);
  INSERT INTO peer_account AS a VALUES ('wallet:' || seller, 1, minor)
    ON CONFLICT (account) DO UPDATE SET sequence = a.sequence + 1, balance = a.balance + minor;
  -- The one that everybody needs comes last, so that it is held for as short as can be.
  INSERT INTO peer_account AS a VALUES ('cash-psp', 1, minor)
    ON CONFLICT (account) DO UPDATE SET sequence = a.sequence + 1, balance = a.balance + minor RETURNING * INTO debit;
  INSERT INTO peer_ledger_transfer (batch_no, debit_account, debit_sequence, debit_balance, credit_account, credit_sequence,
      credit_balance, amount, posted_at, leg, currency, subject, operation, kind)
    VALUES (debit.sequence, 1, debit.sequence, debit.balance, 1000000 + hashtext(seller), credit.sequence, credit.balance, minor, at, 0,
      'EUR', order_id, 'capture', 'capture');
END $$`);
}

/** Makes this many payments, `atOnce` at a time. */
export async function payByPeer(sql: Sql, payments: number, atOnce: number): Promise<void> {
  let left = payments;
  const caller = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const id = randomUUID();
      await sql.query('SELECT peer_pay($1, $2, $3, $4, $5)', [
        id,
        randomUUID(),
        randomUUID(),
        `DE${left % 100}`,
        1_050,
      ]);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
}
