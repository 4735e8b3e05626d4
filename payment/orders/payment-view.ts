import type { SqlSession } from '#platform/sql/sql.js';
import type { PaymentEvent, PaymentOrder, Refund as RefundJson } from '#schemas/http/payments.js';
import { failedBecause } from '#schemas/payment-failures.js';
import type { Currency } from '../money/currency.js';
import { formatMoney } from '../money/money.js';
import { anotherCardMayDo } from './code-actions.js';
import { type Dispute, readDisputes } from './dispute.js';
import { followerOf, type Order, readEvents, readOrder } from './order.js';
import { type Refund, readRefunds } from './refund.js';

const instant = (ms: number): string => new Date(ms).toISOString();
const instantOrNull = (ms: number | undefined): string | null => (ms === undefined ? null : instant(ms));

/** Whole payment events as callers see them, in the order of the ids; undefined where there is none. */
export async function viewEvents(
  session: SqlSession,
  checkoutIds: readonly string[],
): Promise<ReadonlyArray<PaymentEvent | undefined>> {
  const events = await readEvents(session, checkoutIds);
  const views = new Map<string, PaymentEvent>();
  for (const [checkoutId, { isDone, orders }] of events) {
    const payment_orders: PaymentOrder[] = [];
    for (const order of orders) payment_orders.push(await viewOf(session, order));
    views.set(checkoutId, { checkout_id: checkoutId, is_payment_done: isDone, payment_orders });
  }
  return checkoutIds.map((id) => views.get(id));
}

/** A payment event with its present orders, none of which can have a refund or dispute yet. */
export function viewOfNew(orders: readonly Order[]): PaymentEvent {
  return {
    checkout_id: orders[0]!.checkoutId,
    // A successful order is done when ledger and wallet have it.
    is_payment_done: orders.every(({ status, isFinal }) => status === 'FAILED' && isFinal),
    payment_orders: orders.map((order) => orderJson(order, [], [])),
  };
}

export async function viewOrder(session: SqlSession, id: string): Promise<PaymentOrder | undefined> {
  const order = await readOrder(session, id);
  return order === undefined ? undefined : viewOf(session, order);
}

/** Most orders have neither refunds nor disputes: nothing is queried for them. */
async function viewOf(
  session: SqlSession,
  order: Order & { readonly isTouched?: boolean },
): Promise<PaymentOrder> {
  const touched = order.isTouched ?? order.capturedMinor > 0n;
  const refunds = touched ? await readRefunds(session, order.id) : [];
  const disputes = touched ? await readDisputes(session, order.id) : [];
  const isFailed = order.isFinal && order.status === 'FAILED';
  const retriedBy = isFailed ? await followerOf(session, order.id) : undefined;
  return orderJson(order, refunds, disputes, retriedBy);
}

function orderJson(
  order: Order,
  refunds: readonly Refund[],
  disputes: readonly Dispute[],
  retriedBy?: string,
): PaymentOrder {
  const money = (minor: bigint): string => formatMoney({ minor, currency: order.currency });
  return {
    payment_order_id: order.id,
    checkout_id: order.checkoutId,
    buyer_account: order.buyerAccount,
    seller_account: order.sellerAccount,
    amount: order.amount,
    currency: order.currency,
    payment_order_status: order.status,
    is_final: order.isFinal,
    pending: order.pending ?? null,
    ledger_updated: order.ledgerUpdated,
    wallet_updated: order.walletUpdated,
    failure_code: order.failureCode ?? null,
    failure_message: failureMessage(order),
    attempts: order.attempts,
    next_attempt_at: order.status === 'FAILED' ? instantOrNull(order.nextAttemptMs) : null,
    token: order.pspToken ?? null,
    payment_page_url: order.isFinal ? null : (order.pspPageUrl ?? null),
    capture_method: order.manualCapture ? 'manual' : 'automatic',
    capturable_amount: money(order.pending === 'capture' ? order.amountMinor : 0n),
    captured_amount: money(order.capturedMinor),
    refunded_amount: money(order.refundedMinor),
    refunds: refunds.map(refundJson),
    disputes: disputes.map((dispute) => ({
      dispute_id: dispute.id,
      dispute_status: dispute.status,
      amount: money(dispute.amountMinor),
      opened_at: instant(dispute.openedMs),
      evidence_due_at: instantOrNull(dispute.dueMs),
      closed_at: instantOrNull(dispute.closedMs),
    })),
    retry_of: order.retryOf ?? null,
    retried_by: retriedBy ?? null,
    expires_at: instant(order.expiresMs),
    created_at: instant(order.createdMs),
    updated_at: instant(order.changedMs),
  };
}

const failureMessage = ({ status, isFinal, failureCode }: Order): string | null =>
  status === 'FAILED' && isFinal && failureCode !== undefined
    ? failedBecause(failureCode, anotherCardMayDo(failureCode))
    : null;

export const refundJson = (refund: Refund): RefundJson => ({
  refund_id: refund.id,
  payment_order_id: refund.paymentOrderId,
  amount: refund.amount,
  currency: refund.currency as Currency,
  refund_status: refund.status,
  pending: refund.awaitsSecond ? 'review' : null,
  failure_code: refund.failureCode ?? null,
  reason: refund.reason,
  created_at: instant(refund.createdMs),
  updated_at: instant(refund.changedMs),
});
