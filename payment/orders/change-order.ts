import type { SqlSession } from '#platform/sql/sql.js';
import {
  noticeKind,
  type PaymentOrderChanged,
  type PaymentRetry,
  paymentChange,
  paymentStatusNumber,
} from '#schemas/messages.js';
import { paymentNotice, paymentOrderLifecycle, paymentRetry } from '#schemas/topics.js';
import { addToOutbox } from '../outbox/outbox.js';
import { finishEvents } from './finish-event.js';
import type { Order } from './order.js';
import { storeClosedLetter, storeDeadLetter } from './store-dead-letter.js';

type Changeable =
  | 'status'
  | 'isFinal'
  | 'pending'
  | 'attempts'
  | 'nextAttemptMs'
  | 'failureCode'
  | 'provider'
  | 'pspToken'
  | 'pspPageUrl'
  | 'pspReference'
  | 'pspSequence'
  | 'capturedMinor'
  | 'refundingMinor'
  | 'refundedMinor'
  | 'notifyBuyer';

/** A change of an order, and the message that announces it. */
export interface OrderChange {
  readonly set: Partial<Pick<Order, Changeable>>;
  /** From a closed set; recorded in the history and in the event. */
  readonly cause: string;
  /** Without it, the change is internal and nothing is announced. */
  readonly event?: {
    readonly kind: keyof typeof paymentChange;
    /** The order's amount when absent. */
    readonly amountMinor?: bigint;
    readonly subjectId?: string;
    /** Minor units; see `PaymentOrderChanged`. */
    readonly feeMinor?: bigint;
  };
  /** A person should look at the failed order: its dead letter is open. */
  readonly forPeople?: true;
}

export interface ChangeContext {
  readonly nowMs: number;
  /** The source of the change: `executor`, `resolver`, `webhook <id>`, `staff <id>`. */
  readonly source: string;
}

/**
 * Changes an order by compare-and-set: nothing happens, and nothing is returned, if the order has changed
 * since `order` was read. History, events and the end of the whole payment event are written in the same
 * transaction.
 */
export async function changeOrder(
  tx: SqlSession,
  order: Order,
  change: OrderChange,
  context: ChangeContext,
): Promise<Order | undefined> {
  const [next] = await changeOrders(tx, [{ order, change, context }]);
  return next;
}

export interface Move {
  readonly order: Order;
  readonly change: OrderChange;
  readonly context: ChangeContext;
}

/**
 * The same for many orders, each at most once; results in the same order. One statement, unless the end of an
 * order needs more.
 */
export async function changeOrders(
  tx: SqlSession,
  moves: readonly Move[],
): Promise<ReadonlyArray<Order | undefined>> {
  if (moves.length === 0) return [];
  const nexts = moves.map(
    ({ order, change, context }): Order => ({
      ...order,
      ...change.set,
      version: order.version + 1,
      changedMs: isSeen(change) ? context.nowMs : order.changedMs,
    }),
  );
  const { rows } = await tx.query<{ readonly id: string }>(changeAll, [
    JSON.stringify(moves.map((move, index) => rowOf(move, nexts[index]!))),
    moves.map(({ order }) => order.id),
  ]);
  const changed = new Set(rows.map(({ id }) => id));
  const results = nexts.map((next) => (changed.has(next.id) ? next : undefined));
  for (const [index, next] of results.entries()) {
    const { order, change, context } = moves[index]!;
    if (next?.isFinal === true && !order.isFinal) await finish(tx, next, change, context.nowMs);
  }
  return results;
}

/** Whether callers can see the change; they cannot see that the provider said something after the end. */
const isSeen = ({ set }: OrderChange): boolean =>
  Object.keys(set).some((name) => name !== 'pspSequence' && name !== 'pspReference');

/** Whether the change is one statement and nothing else. */
export function isOneStatement({ order, change }: Move): boolean {
  if (change.set.isFinal !== true || order.isFinal) return true;
  const notify = change.set.notifyBuyer ?? order.notifyBuyer;
  return change.set.status === 'SUCCESS' && !notify && order.alertedMs === undefined;
}

/**
 * Changes, their history and their messages. The ids make the planner use the key, whatever the size of the
 * table.
 */
const changeAll = `WITH wanted AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS w (id text, version bigint, was text, status text, final boolean, pending text,
      attempts integer, next_at timestamptz, failure text, provider text, token text, page text, reference text, sequence bigint, captured bigint,
      refunding bigint, refunded bigint, notify boolean, at timestamptz, changed_at timestamptz, cause text, source text, messages jsonb)
  ), changed AS (
    UPDATE payment_orders o SET payment_order_status = w.status, is_final = w.final, pending = w.pending, attempts = w.attempts,
      next_attempt_at = w.next_at, failure_code = w.failure, provider = w.provider, psp_token = w.token, psp_page_url = w.page, psp_reference = w.reference,
      psp_sequence = w.sequence, captured_minor = w.captured, refunding_minor = w.refunding, refunded_minor = w.refunded,
      notify_buyer = w.notify, version = o.version + 1, changed_at = w.changed_at
    FROM wanted w
    WHERE o.payment_order_id = ANY ($2::text[]) AND o.payment_order_id = w.id
      AND o.version = w.version AND o.payment_order_status = w.was
    RETURNING o.payment_order_id AS id
  ), history AS (
    INSERT INTO payment_order_history (payment_order_id, version, from_status, to_status, cause, source, at)
    SELECT w.id, w.version + 1, w.was, w.status, w.cause, w.source, w.at FROM wanted w JOIN changed USING (id) WHERE w.was <> w.status
  ), announced AS (
    INSERT INTO payment_outbox (event_id, topic, key, payload, created_at)
    SELECT t.message ->> 'eventId', t.message ->> 'topic', w.id, t.message -> 'payload', w.at
    FROM wanted w JOIN changed USING (id), jsonb_array_elements(w.messages) WITH ORDINALITY t(message, n) ORDER BY w.id, t.n
    ON CONFLICT (event_id) DO NOTHING
  ) SELECT id FROM changed`;

const instant = (ms: number): string => new Date(ms).toISOString();

function rowOf({ order, change, context: { nowMs, source } }: Move, next: Order): object {
  return {
    id: order.id,
    version: order.version,
    was: order.status,
    status: next.status,
    final: next.isFinal,
    pending: next.pending,
    attempts: next.attempts,
    next_at: next.nextAttemptMs === undefined ? undefined : instant(next.nextAttemptMs),
    failure: next.failureCode,
    provider: next.provider,
    token: next.pspToken,
    page: next.pspPageUrl,
    reference: next.pspReference,
    sequence: next.pspSequence,
    captured: next.capturedMinor.toString(),
    refunding: next.refundingMinor.toString(),
    refunded: next.refundedMinor.toString(),
    notify: next.notifyBuyer,
    at: instant(nowMs),
    changed_at: instant(next.changedMs),
    cause: change.cause,
    source,
    messages: messagesOf(next, change, nowMs).map(({ topic, message }) => ({
      eventId: message.eventId,
      topic,
      payload: message,
    })),
  };
}

/** The messages that announce a change; none when the change is internal. */
export function messagesOf(
  order: Pick<
    Order,
    | 'id'
    | 'checkoutId'
    | 'caller'
    | 'sellerAccount'
    | 'amountMinor'
    | 'currency'
    | 'status'
    | 'version'
    | 'attempts'
    | 'nextAttemptMs'
    | 'pspReference'
  >,
  { event, cause }: Pick<OrderChange, 'event' | 'cause'>,
  nowMs: number,
): ReadonlyArray<{ readonly topic: string; readonly message: PaymentOrderChanged | PaymentRetry }> {
  if (event === undefined) return [];
  const changed: PaymentOrderChanged = {
    eventId: `${order.id}:${order.version}`,
    kind: paymentChange[event.kind],
    paymentOrderId: order.id,
    checkoutId: order.checkoutId,
    sequence: order.version,
    status: paymentStatusNumber[order.status],
    amountMinor: Number(event.amountMinor ?? order.amountMinor),
    currency: order.currency,
    sellerAccount: order.sellerAccount,
    caller: order.caller,
    reason: cause,
    pspReference: order.pspReference ?? '',
    subjectId: event.subjectId ?? '',
    occurredMs: nowMs,
    ...(event.feeMinor === undefined || event.feeMinor === 0n ? {} : { feeMinor: Number(event.feeMinor) }),
  };
  const first = { topic: paymentOrderLifecycle.name, message: changed };
  if (event.kind !== 'retryScheduled') return [first];
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
    await addToOutbox(tx, paymentNotice.name, order.id, {
      ...about,
      eventId: `${order.id}:completed`,
      kind: noticeKind.buyerCompleted,
      detail: order.status,
    });
  if (order.alertedMs !== undefined)
    await addToOutbox(tx, paymentNotice.name, order.id, {
      ...about,
      eventId: `${order.id}:overdue-cleared`,
      kind: noticeKind.overdueCleared,
      detail: order.status,
    });
  // A successful order is done when ledger and wallet have it; then they end the event.
  if (order.status === 'SUCCESS') return;
  const { id, version, attempts } = order;
  const letter = {
    eventId: `${id}:${version}:dead`,
    subject: 'payment',
    subjectId: id,
    attempts,
    cause: change.cause,
    occurredMs: nowMs,
  } as const;
  await (change.forPeople === true ? storeDeadLetter(tx, letter) : storeClosedLetter(tx, letter));
  await finishEvents(tx, [order.checkoutId]);
}
