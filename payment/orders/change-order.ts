import type { SqlSession } from '#platform/sql/sql.js';
import {
  noticeKind,
  type PaymentOrderChanged,
  type PaymentRetry,
  paymentChange,
  paymentStatusNumber,
} from '#schemas/messages.js';
import { paymentDeadLetter, paymentNotice, paymentOrderLifecycle, paymentRetry } from '#schemas/topics.js';
import { tell } from '../outbox/outbox.js';
import { finishEvents } from './finish-event.js';
import type { Order } from './order.js';

type Changeable =
  | 'status'
  | 'isFinal'
  | 'pending'
  | 'attempts'
  | 'nextAttemptMs'
  | 'failureCode'
  | 'pspToken'
  | 'pspPageUrl'
  | 'pspReference'
  | 'pspSequence'
  | 'capturedMinor'
  | 'refundingMinor'
  | 'refundedMinor'
  | 'notifyBuyer';

/** What becomes of an order, and what the world hears of it. */
export interface OrderChange {
  readonly set: Partial<Pick<Order, Changeable>>;
  /** From a closed set; stands in the history and in the event. */
  readonly cause: string;
  /** Nothing is told of a change that concerns only ourselves. */
  readonly tell?: {
    readonly kind: keyof typeof paymentChange;
    /** The order's amount when absent. */
    readonly amountMinor?: bigint;
    readonly subjectId?: string;
  };
  /** The order is given up and kept for people. */
  readonly deadLetter?: true;
}

export interface ChangeContext {
  readonly nowMs: number;
  /** Who moved it: `executor`, `resolver`, `webhook <id>`, `staff <id>`. */
  readonly source: string;
}

/**
 * Changes an order by compare-and-set: nothing happens, and nothing is returned, when somebody else changed it since `order` was read.
 * History, events and the end of the whole payment event are written in the same transaction.
 */
export async function changeOrder(
  tx: SqlSession,
  order: Order,
  change: OrderChange,
  { nowMs, source }: ChangeContext,
): Promise<Order | undefined> {
  const next: Order = { ...order, ...change.set, version: order.version + 1, changedMs: nowMs };
  const told = messagesOf(next, change, nowMs);
  // One statement for the change, its history and what is told of it: each of them is one exchange less with the database.
  const { rows } = await tx.query<{ readonly changed: bigint }>(
    `WITH changed AS (
       UPDATE payment_orders SET payment_order_status = $3, is_final = $4, pending = $5, attempts = $6, next_attempt_at = $7,
         failure_code = $8, psp_token = $9, psp_page_url = $10, psp_reference = $11, psp_sequence = $12, captured_minor = $13,
         refunding_minor = $14, refunded_minor = $15, notify_buyer = $16, version = version + 1, changed_at = $17
       WHERE payment_order_id = $1 AND version = $2 AND payment_order_status = $18 RETURNING version, changed_at
     ), history AS (
       INSERT INTO payment_order_history (payment_order_id, version, from_status, to_status, cause, source, at)
       SELECT $1, version, $18, $3, $19, $20, changed_at FROM changed WHERE $18 <> $3
     ), told AS (
       INSERT INTO payment_outbox (event_id, topic, key, payload, created_at)
       SELECT u.event_id, u.topic, $1, u.payload, changed_at
       FROM changed, unnest($21::text[], $22::text[], $23::jsonb[]) WITH ORDINALITY u(event_id, topic, payload, n) ORDER BY n
       ON CONFLICT (event_id) DO NOTHING
     ) SELECT count(*) AS changed FROM changed`,
    [
      order.id,
      order.version,
      next.status,
      next.isFinal,
      next.pending ?? null,
      next.attempts,
      next.nextAttemptMs === undefined ? null : new Date(next.nextAttemptMs),
      next.failureCode ?? null,
      next.pspToken ?? null,
      next.pspPageUrl ?? null,
      next.pspReference ?? null,
      next.pspSequence,
      next.capturedMinor,
      next.refundingMinor,
      next.refundedMinor,
      next.notifyBuyer,
      new Date(nowMs),
      order.status,
      change.cause,
      source,
      told.map(({ message }) => message.eventId),
      told.map(({ topic }) => topic),
      told.map(({ message }) => JSON.stringify(message)),
    ],
  );
  if (rows[0]!.changed === 0n) return undefined;
  if (next.isFinal && !order.isFinal) await finish(tx, next, change, nowMs);
  return next;
}

function messagesOf(
  order: Order,
  { tell: told, cause }: OrderChange,
  nowMs: number,
): ReadonlyArray<{ readonly topic: string; readonly message: PaymentOrderChanged | PaymentRetry }> {
  if (told === undefined) return [];
  const changed: PaymentOrderChanged = {
    eventId: `${order.id}:${order.version}`,
    kind: paymentChange[told.kind],
    paymentOrderId: order.id,
    checkoutId: order.checkoutId,
    sequence: order.version,
    status: paymentStatusNumber[order.status],
    amountMinor: Number(told.amountMinor ?? order.amountMinor),
    currency: order.currency,
    sellerAccount: order.sellerAccount,
    caller: order.caller,
    reason: cause,
    pspReference: order.pspReference ?? '',
    subjectId: told.subjectId ?? '',
    occurredMs: nowMs,
  };
  const first = { topic: paymentOrderLifecycle.name, message: changed };
  if (told.kind !== 'retryScheduled') return [first];
  const retry: PaymentRetry = {
    eventId: `${order.id}:${order.version}:retry`,
    subject: 'payment',
    subjectId: order.id,
    attempts: order.attempts,
    dueMs: order.nextAttemptMs ?? nowMs,
    cause,
    occurredMs: nowMs,
  };
  return [first, { topic: paymentRetry.name, message: retry }];
}

async function finish(tx: SqlSession, order: Order, change: OrderChange, nowMs: number): Promise<void> {
  const about = { paymentOrderId: order.id, caller: order.caller, occurredMs: nowMs };
  if (order.notifyBuyer)
    await tell(tx, paymentNotice.name, order.id, {
      ...about,
      eventId: `${order.id}:completed`,
      kind: noticeKind.buyerCompleted,
      detail: order.status,
    });
  if (order.alertedMs !== undefined)
    await tell(tx, paymentNotice.name, order.id, {
      ...about,
      eventId: `${order.id}:overdue-cleared`,
      kind: noticeKind.overdueCleared,
      detail: order.status,
    });
  if (change.deadLetter === true) {
    await putAside(
      tx,
      'payment',
      order.id,
      change.cause,
      order.attempts,
      nowMs,
      `${order.id}:${order.version}:dead`,
    );
  }
  // What has succeeded is not done before ledger and wallet have it; they end the event then.
  if (order.status !== 'SUCCESS') await finishEvents(tx, [order.checkoutId]);
}

/** Keeps for people what was given up, in the table that they re-drive from and in the topic that others read. */
export async function putAside(
  tx: SqlSession,
  kind: 'payment' | 'refund',
  subjectId: string,
  cause: string,
  attempts: number,
  nowMs: number,
  eventId: string,
): Promise<void> {
  await tx.query(
    'INSERT INTO payment_dead_letters (kind, subject_id, cause, attempts, at) VALUES ($1, $2, $3, $4, $5)',
    [kind, subjectId, cause, attempts, new Date(nowMs)],
  );
  await tell(tx, paymentDeadLetter.name, subjectId, {
    eventId,
    subject: kind,
    subjectId,
    attempts,
    cause,
    occurredMs: nowMs,
  });
}
