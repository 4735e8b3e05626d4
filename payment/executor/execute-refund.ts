import type { SqlSession } from '#platform/sql/sql.js';
import { paymentRetry } from '#schemas/topics.js';
import { feeOf, feeReturned } from '../fees/application-fee.js';
import { type Effect, isForeign } from '../orders/apply-payment.js';
import { changeOrder } from '../orders/change-order.js';
import { actionOf } from '../orders/code-actions.js';
import type { Order } from '../orders/order.js';
import { readOrder } from '../orders/order.js';
import { type Refund, readRefund } from '../orders/refund.js';
import { storeDeadLetter } from '../orders/store-dead-letter.js';
import { addToOutbox } from '../outbox/outbox.js';
import type { PspAnswer } from '../psp/psp.js';
import type { PspRefund } from '../psp/psp-payment.js';
import { queueRefusedRefund } from '../reconciliation/refused-refund.js';
import { retryAfter } from '../settings/retry-policy.js';
import { type ExecutorDeps, providerOf } from './executor-deps.js';

/**
 * Sends money back. A refund continues until the provider confirms or refuses it: it is requested with the
 * same nonce for as long as that takes, because the buyer waits for their money, and always from the provider
 * that has the payment. After the usual number of attempts a person is notified.
 */
export async function executeRefund(deps: ExecutorDeps, refundId: string): Promise<void> {
  const refund = await take(deps, refundId);
  if (refund === undefined) return;
  const answer = await ask(deps, refund);
  await deps.sql.transaction((tx) => store(tx, deps, refund, answer));
}

async function ask(deps: ExecutorDeps, refund: Refund): Promise<PspAnswer<PspRefund>> {
  const order = await deps.orders.read(refund.paymentOrderId);
  const psp = order === undefined ? undefined : providerOf(deps, order);
  if (psp === undefined)
    return { kind: 'unknown', reason: `the provider ${order?.provider ?? ''} is not configured` };
  return psp.refund({
    nonce: refund.id,
    paymentNonce: refund.paymentOrderId,
    ...(order?.pspReference === undefined ? {} : { paymentReference: order.pspReference }),
    amountMinor: refund.amountMinor,
    currency: refund.currency,
    attempt: refund.attempts,
  });
}

async function take(deps: ExecutorDeps, refundId: string): Promise<Refund | undefined> {
  const now = new Date(deps.nowMs());
  const { rowCount } = await deps.sql.query(
    `UPDATE payment_refunds SET refund_status = 'EXECUTING', attempts = attempts + 1, next_attempt_at = $2, changed_at = $3
     WHERE refund_id = $1 AND refund_status IN ('NOT_STARTED', 'EXECUTING') AND next_attempt_at <= $3`,
    [refundId, new Date(now.getTime() + deps.settings.leaseMs), now],
  );
  return rowCount === 0 ? undefined : readRefund(deps.sql, refundId);
}

async function store(
  tx: SqlSession,
  deps: ExecutorDeps,
  refund: Refund,
  answer: PspAnswer<PspRefund>,
): Promise<void> {
  if (answer.kind === 'known' && answer.value.status !== 'processing') {
    await settleRefund(tx, answer.value, deps.nowMs(), 'executor');
    return;
  }
  if (answer.kind === 'refused' && actionOf(answer.code, 'manual') !== 'retry') {
    const { id: nonce, amountMinor, currency } = refund;
    const refused = {
      nonce,
      reference: '',
      status: 'refused',
      amountMinor,
      currency,
      code: answer.code,
    } as const;
    await settleRefund(tx, refused, deps.nowMs(), 'executor');
    return;
  }
  await later(tx, deps, refund, answer);
}

async function later(
  tx: SqlSession,
  deps: ExecutorDeps,
  refund: Refund,
  answer: PspAnswer<PspRefund>,
): Promise<void> {
  const nowMs = deps.nowMs();
  const { retry } = deps.settings;
  const asked = answer.kind === 'refused' ? answer.retryAfterMs : undefined;
  const waitMs = retryAfter(retry, refund.attempts, deps.random(), asked) ?? retry.capMs;
  const cause = answer.kind === 'refused' ? answer.code : 'outcome_unknown';
  const { rowCount } = await tx.query(
    `UPDATE payment_refunds SET next_attempt_at = $2, failure_code = $3, changed_at = $4
     WHERE refund_id = $1 AND refund_status = 'EXECUTING'`,
    [refund.id, new Date(nowMs + waitMs), cause, new Date(nowMs)],
  );
  // A webhook has settled it meanwhile.
  if (rowCount === 0) return;
  await addToOutbox(tx, paymentRetry.name, refund.id, {
    // Attempts are counted again when it is re-driven.
    eventId: `${refund.id}:${refund.attempts}:${nowMs}:retry`,
    subject: 'refund',
    subjectId: refund.id,
    attempts: refund.attempts,
    dueMs: nowMs + waitMs,
    cause,
    occurredMs: nowMs,
  });
  if (refund.attempts === retry.attemptsMax)
    await storeDeadLetter(tx, {
      eventId: `${refund.id}:${nowMs}:dead`,
      subject: 'refund',
      subjectId: refund.id,
      attempts: refund.attempts,
      cause,
      occurredMs: nowMs,
    });
}

/** Applies the provider's decision, from an answer or a webhook, once: the refund succeeded or failed. */
export async function settleRefund(
  tx: SqlSession,
  reported: PspRefund,
  nowMs: number,
  source: string,
  provider?: string,
): Promise<Effect> {
  if (reported.status === 'processing') return 'stale';
  const known = await readRefund(tx, reported.nonce);
  if (known === undefined) return 'unknown order';
  // Order before refund, as everywhere: two transactions that take both never wait for each other.
  const order = await readOrder(tx, known.paymentOrderId, 'for update');
  if (order !== undefined && isForeign(order, provider)) return 'another provider';
  const feeMinor = reported.status === 'refunded' && order !== undefined ? feeBack(order, known) : 0n;
  const { rowCount } = await tx.query(
    `UPDATE payment_refunds SET refund_status = $2, next_attempt_at = NULL, psp_reference = $3, failure_code = $4, changed_at = $5,
       fee_minor = $6
     WHERE refund_id = $1 AND refund_status = 'EXECUTING'`,
    [
      reported.nonce,
      reported.status === 'refunded' ? 'SUCCESS' : 'FAILED',
      reported.reference === '' ? null : reported.reference,
      reported.code ?? null,
      new Date(nowMs),
      feeMinor,
    ],
  );
  if (rowCount === 0 || order === undefined) return 'stale';
  const { amountMinor } = known;
  const context = { nowMs, source };
  if (reported.status === 'refunded') {
    const set = { refundedMinor: order.refundedMinor + amountMinor };
    const event = { kind: 'refunded', amountMinor, subjectId: known.id, feeMinor } as const;
    await changeOrder(tx, order, { set, cause: 'refunded', event }, context);
    return 'applied';
  }
  const set = { refundingMinor: order.refundingMinor - amountMinor };
  const event = { kind: 'refundFailed', amountMinor, subjectId: known.id } as const;
  await changeOrder(tx, order, { set, cause: 'refund_refused', event }, context);
  await queueRefusedRefund(tx, order, { refundId: known.id, amountMinor }, new Date(nowMs));
  await storeDeadLetter(tx, {
    eventId: `${known.id}:refused`,
    subject: 'refund',
    subjectId: known.id,
    attempts: known.attempts,
    cause: reported.code ?? 'refund_refused',
    occurredMs: nowMs,
  });
  return 'applied';
}

/** Money that came for an order that had ended had no fee. */
function feeBack(
  { fee, status, capturedMinor, refundedMinor }: Order,
  { amountMinor }: Pick<Refund, 'amountMinor'>,
): bigint {
  const feeMinor = status === 'SUCCESS' ? feeOf(fee, capturedMinor) : 0n;
  return feeReturned(feeMinor, capturedMinor, { beforeMinor: refundedMinor, amountMinor });
}
