import type { SqlSession } from '#platform/sql/sql.js';
import { paymentOrderLifecycle } from '#schemas/topics.js';
import { messagesOf } from './change-order.js';
import { type FeesOfOrders, newOrders } from './new-orders.js';
import { feeTermsOf } from './order.js';
import type { Judged } from './submission.js';

export const submitOperation = 'POST /v1/payments';

/**
 * Stores payment events with their keys, orders, risk results and the messages that announce them, in the
 * caller's transaction. Rejects for all of them with the unique violation of one: a key, an event or an order
 * that exists. Resolves with the fees of their sellers.
 */
export async function storeSubmissions(tx: SqlSession, judged: readonly Judged[]): Promise<FeesOfOrders> {
  const { rows } = await tx.query(storeAll, [
    JSON.stringify(judged.map(eventRow)),
    JSON.stringify(judged.flatMap(orderRows)),
    paymentOrderLifecycle.name,
    submitOperation,
  ]);
  return new Map(rows.map((row) => [row['payment_order_id'] as string, feeTermsOf(row)!]));
}

/** Foreign keys are checked at the end of the statement, so keys, events and their orders may come in one. */
const storeAll = `WITH new_event AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS e (checkout text, caller text, key text, fingerprint text, buyer text, card text,
      retries boolean, one_page boolean, finance_retries boolean, at timestamptz)
  ), request AS (
    INSERT INTO payment_requests (caller, operation, idempotency_key, fingerprint, resource_id, created_at)
    SELECT caller, $4, key, decode(fingerprint, 'hex'), checkout, at FROM new_event
  ), event AS (
    INSERT INTO payment_events (checkout_id, caller, buyer_info, credit_card_info, takes_retries, one_page, finance_retries,
      created_at)
    SELECT checkout, caller, buyer, card, retries, one_page, finance_retries, at FROM new_event
  ), new_order AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS o (id text, checkout text, position smallint, buyer text, seller text, amount text,
      minor bigint, currency text, country text, provider text, pending text, next_at timestamptz, expires_at timestamptz, notify boolean, manual boolean, page text, at timestamptz,
      decision text, reason text, source text, message jsonb)
  ), stored AS (
    INSERT INTO payment_orders (payment_order_id, checkout_id, position, buyer_account, seller_account, amount, amount_minor, currency,
      country, provider, pending, next_attempt_at, expires_at, notify_buyer, manual_capture, page_id, created_at, changed_at, version,
      fee_basis_points, fee_fixed_minor)
    SELECT id, checkout, position, buyer, seller, amount, minor, o.currency, country, provider, pending, next_at, expires_at, notify, manual, page, at, at, 1,
      f.basis_points, f.fixed_minor
    FROM new_order o LEFT JOIN seller_fee f ON f.seller_account = o.seller AND f.currency = o.currency AND f.state = 'active'
    RETURNING payment_order_id, fee_basis_points, fee_fixed_minor
  ), risk AS (
    INSERT INTO payment_risk_checks (payment_order_id, decision, reason, source, at)
    SELECT id, decision, reason, source, at FROM new_order
  ), announced AS (
    INSERT INTO payment_outbox (event_id, topic, key, payload, created_at)
    SELECT message ->> 'eventId', $3, id, message, at FROM new_order
  ) SELECT * FROM stored WHERE fee_basis_points IS NOT NULL`;

const instant = (ms: number): string => new Date(ms).toISOString();

function eventRow({ submission, decision, nowMs }: Judged): object {
  const { checkoutId, caller, key, fingerprint, buyerInfo, cardInfo, takesRetries = false } = submission;
  const onePage = submission.pageId !== undefined;
  return {
    checkout: checkoutId,
    caller,
    key,
    fingerprint: Buffer.from(fingerprint).toString('hex'),
    buyer: buyerInfo,
    card: cardInfo,
    retries: takesRetries || (onePage && decision.decision !== 'block'),
    one_page: onePage,
    finance_retries: !takesRetries,
    at: instant(nowMs),
  };
}

/** Version 1 of an order announces that it exists. */
function orderRows(judged: Judged): readonly object[] {
  const { decision, riskCheck, nowMs } = judged;
  const cause = decision.decision === 'review' ? decision.reason : 'created';
  return newOrders(judged).map((order, position) => ({
    id: order.id,
    checkout: order.checkoutId,
    position,
    buyer: order.buyerAccount,
    seller: order.sellerAccount,
    amount: order.amount,
    minor: order.amountMinor.toString(),
    currency: order.currency,
    country: order.country,
    provider: order.provider,
    pending: order.pending,
    next_at: order.nextAttemptMs === undefined ? undefined : instant(order.nextAttemptMs),
    expires_at: instant(order.expiresMs),
    notify: order.notifyBuyer,
    manual: order.manualCapture,
    page: order.pageId,
    at: instant(nowMs),
    decision: decision.decision,
    reason: decision.reason,
    source: riskCheck,
    message: messagesOf(order, { cause, event: { kind: 'created' } }, nowMs)[0]!.message,
  }));
}
