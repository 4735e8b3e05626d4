import type { SqlSession } from '#platform/sql/sql.js';
import { paymentOrderLifecycle } from '#schemas/topics.js';
import type { ReachFaultPoint } from '../executor/fault-points.js';
import type { RiskDecision } from '../risk/risk-check.js';
import { messagesOf } from './change-order.js';
import type { Submission } from './submission.js';

/** A payment event that was judged and is to be stored. */
export interface Judged {
  readonly submission: Submission;
  readonly decision: RiskDecision;
  readonly riskCheck: string;
  readonly nowMs: number;
  readonly registrationMs: number;
}

export const submitOperation = 'POST /v1/payments';

/**
 * Stores payment events with their keys, orders, judgements and the news that they are there, in the caller's transaction. Rejects for all of
 * them with the unique violation of one: a key, an event or an order that exists.
 */
export async function storeSubmissions(
  tx: SqlSession,
  judged: readonly Judged[],
  reach: ReachFaultPoint,
): Promise<void> {
  await tx.query(
    `INSERT INTO payment_requests (caller, operation, idempotency_key, fingerprint, resource_id, created_at)
     SELECT u.caller, $1, u.key, decode(u.fingerprint, 'hex'), u.checkout, u.at
     FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[]) u (caller, key, fingerprint, checkout, at)`,
    [
      submitOperation,
      judged.map(({ submission }) => submission.caller),
      judged.map(({ submission }) => submission.key),
      judged.map(({ submission }) => Buffer.from(submission.fingerprint).toString('hex')),
      judged.map(({ submission }) => submission.checkoutId),
      judged.map(({ nowMs }) => new Date(nowMs)),
    ],
  );
  await reach('after-key-insert');
  await tx.query(storeAll, [
    JSON.stringify(judged.map(eventRow)),
    JSON.stringify(judged.flatMap(orderRows)),
    paymentOrderLifecycle.name,
  ]);
}

/** Foreign keys are looked at when the statement ends, so events and their orders may come in one. */
const storeAll = `WITH event AS (
    INSERT INTO payment_events (checkout_id, caller, buyer_info, credit_card_info, created_at)
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS e (checkout text, caller text, buyer text, card text, at timestamptz)
  ), new_order AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS o (id text, checkout text, position smallint, buyer text, seller text, amount text,
      minor bigint, currency text, pending text, next_at timestamptz, expires_at timestamptz, notify boolean, at timestamptz,
      decision text, reason text, source text, told jsonb)
  ), stored AS (
    INSERT INTO payment_orders (payment_order_id, checkout_id, position, buyer_account, seller_account, amount, amount_minor, currency,
      pending, next_attempt_at, expires_at, notify_buyer, created_at, changed_at, version)
    SELECT id, checkout, position, buyer, seller, amount, minor, currency, pending, next_at, expires_at, notify, at, at, 1 FROM new_order
  ), risk AS (
    INSERT INTO payment_risk_checks (payment_order_id, decision, reason, source, at)
    SELECT id, decision, reason, source, at FROM new_order
  ) INSERT INTO payment_outbox (event_id, topic, key, payload, created_at)
    SELECT told ->> 'eventId', $3, id, told, at FROM new_order`;

function eventRow({ submission, nowMs }: Judged): object {
  const { checkoutId, caller, buyerInfo, cardInfo } = submission;
  return {
    checkout: checkoutId,
    caller,
    buyer: buyerInfo,
    card: cardInfo,
    at: new Date(nowMs).toISOString(),
  };
}

/** Version 1 of an order tells that it is there. */
function orderRows({ submission, decision, riskCheck, nowMs, registrationMs }: Judged): readonly object[] {
  const { checkoutId, caller, buyerAccount } = submission;
  const waits = decision.decision === 'review';
  const at = new Date(nowMs).toISOString();
  return submission.orders.map(({ id, sellerAccount, amount, money }, position) => {
    const order = {
      id,
      checkoutId,
      caller,
      sellerAccount,
      amountMinor: money.minor,
      currency: money.currency,
      status: 'NOT_STARTED',
      version: 1,
      attempts: 0,
      nextAttemptMs: undefined,
      pspReference: undefined,
    } as const;
    const change = { cause: waits ? decision.reason : 'created', tell: { kind: 'created' } } as const;
    const [told] = messagesOf(order, change, nowMs);
    return {
      id,
      checkout: checkoutId,
      position,
      buyer: buyerAccount,
      seller: sellerAccount,
      amount,
      minor: money.minor.toString(),
      currency: money.currency,
      pending: waits ? 'review' : undefined,
      next_at: waits ? undefined : at,
      expires_at: new Date(nowMs + registrationMs).toISOString(),
      notify: waits,
      at,
      decision: decision.decision,
      reason: decision.reason,
      source: riskCheck,
      told: told!.message,
    };
  });
}
