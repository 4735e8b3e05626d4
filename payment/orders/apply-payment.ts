import { createHash } from 'node:crypto';
import { oneStatement } from '#platform/sql/one-statement.js';
import type { Sql, SqlSession } from '#platform/sql/sql.js';
import { feeOf } from '../fees/application-fee.js';
import { formatMoney } from '../money/money.js';
import type { PspPayment } from '../psp/psp-payment.js';
import {
  type ChangeContext,
  changeOrder,
  changeOrders,
  isOneStatement,
  type Move,
  type OrderChange,
} from './change-order.js';
import { closed, failed } from './failed-order.js';
import { type Order, readOrdersById } from './order.js';
import { queueOtherCapture } from './queue-other-capture.js';

/** The result of an event from the provider. */
export type Effect = 'applied' | 'stale' | 'unknown order' | 'another provider' | 'unknown token';

export interface ApplyContext extends ChangeContext {
  /** When a waiting order is queried again. */
  readonly askAgainMs: (order: Order) => number;
  /** When an authorized one is. */
  readonly authorizedAskMs: number;
  /** After how many attempts an order without a result is closed. */
  readonly attemptsMax: number;
}

/** What the provider says of one payment, by answer, query or webhook. */
export interface PaymentUpdate {
  readonly payment: PspPayment;
  readonly context: ApplyContext;
  /**
   * Who says it, for a webhook: it changes nothing about an order that another provider has, or that has
   * another token.
   */
  readonly provider?: string;
  /**
   * The order, if the caller has it and it need not be read; compare-and-set checks whether it is still
   * current.
   */
  readonly order?: Order;
}

/**
 * Applies what the provider reports of payments, in any order and any number of times. The provider's
 * sequence number detects stale events; a final state does not change. Money that was taken for an order that
 * cannot have it is booked and refunded. Answers in the order of the events.
 */
export async function applyPayments(
  tx: SqlSession,
  updates: readonly PaymentUpdate[],
): Promise<readonly Effect[]> {
  const ids = updates.map(({ payment }) => payment.nonce);
  const orders = new Map(await readOrdersById(tx, ids, 'for update'));
  const effects = new Map<PaymentUpdate, Effect>();
  for (let left = updates; left.length > 0; ) {
    const now = firstOfEach(left);
    for (const one of now) {
      const order = orders.get(one.payment.nonce);
      // What a provider reports of an order that no provider had: it is this one's from now on.
      if (order?.provider === undefined && order !== undefined && one.provider !== undefined)
        orders.set(order.id, { ...order, provider: one.provider });
      if (order === undefined) effects.set(one, 'unknown order');
      else if (isForeign(order, one.provider)) effects.set(one, 'another provider');
      else if (one.provider !== undefined && hasOtherToken(order, one.payment))
        effects.set(one, 'unknown token');
      else effects.set(one, changesBy(order, one.payment, one.context).length === 0 ? 'stale' : 'applied');
    }
    await applyAll(
      tx,
      now.filter((one) => effects.get(one) === 'applied'),
      orders,
    );
    left = left.filter((one) => !effects.has(one));
  }
  return updates.map((one) => effects.get(one)!);
}

/**
 * Events about different orders, whose changes are applied in step: first the first change of each, then the
 * second of those that have one.
 */
async function applyAll(
  tx: SqlSession,
  updates: readonly PaymentUpdate[],
  orders: Map<string, Order>,
): Promise<void> {
  const open = updates.map((one) => ({
    ...one,
    changes: changesBy(orders.get(one.payment.nonce)!, one.payment, one.context),
  }));
  for (let step = 0; ; step += 1) {
    const wave = open.filter(({ changes }) => step < changes.length);
    if (wave.length === 0) return;
    const moves = wave.map(
      ({ payment, context, changes }): Move => ({
        order: orders.get(payment.nonce)!,
        change: changes[step]!,
        context,
      }),
    );
    for (const [index, order] of (await changeOrders(tx, moves)).entries()) {
      const { payment, context, changes } = wave[index]!;
      if (order === undefined) throw new Error(`The order ${payment.nonce} changed although it was locked.`);
      orders.set(order.id, order);
      if (changes[step]!.event?.kind === 'capturedLate') await sendBack(tx, order, payment, context);
      if (changes[step]!.cause === otherAmount)
        await queueOtherCapture(tx, order, payment, new Date(context.nowMs));
    }
  }
}

/**
 * The same without a transaction of its own if the event is one statement for its order, as it nearly always
 * is. Compare-and-set keeps it correct; an order that changed meanwhile takes the slow path. Answers with the
 * orders that stay as they are; undefined for what takes the slow path or was stale.
 */
export async function applyPaymentsQuickly(
  sql: Sql,
  updates: readonly PaymentUpdate[],
): Promise<ReadonlyArray<Order | undefined>> {
  const first = firstOfEach(updates);
  const unknown = first.filter(({ order }) => order === undefined);
  const read =
    unknown.length === 0
      ? new Map<string, Order>()
      : await readOrdersById(
          sql,
          unknown.map(({ payment }) => payment.nonce),
        );
  const done = new Map<PaymentUpdate, Order | undefined>();
  const moves = new Map<PaymentUpdate, Move>();
  for (const one of first) {
    const order = one.order ?? read.get(one.payment.nonce);
    const [change, more] = order === undefined ? [] : changesBy(order, one.payment, one.context);
    if (order === undefined || change === undefined) done.set(one, undefined);
    else if (more === undefined && change.event?.kind !== 'capturedLate' && change.cause !== otherAmount) {
      const move = { order, change, context: one.context };
      if (isOneStatement(move)) moves.set(one, move);
    }
  }
  const changed = await oneStatement(sql, (session) => changeOrders(session, [...moves.values()]));
  for (const [index, one] of [...moves.keys()].entries())
    if (changed[index] !== undefined) done.set(one, changed[index]);
  const left = updates.filter((one) => !done.has(one));
  if (left.length > 0) await sql.transaction((tx) => applyPayments(tx, left));
  return updates.map((one) => done.get(one));
}

/** Whether a provider reports on an order that another one has. */
export const isForeign = ({ provider }: Pick<Order, 'provider'>, by: string | undefined): boolean =>
  by !== undefined && provider !== undefined && provider !== by;

/** A challenge is a page of its own, with a token of its own. */
const hasOtherToken = ({ pspToken }: Order, { token, status }: PspPayment): boolean =>
  token !== undefined && pspToken !== undefined && token !== pspToken && status !== 'challenge';

function firstOfEach(updates: readonly PaymentUpdate[]): readonly PaymentUpdate[] {
  const seen = new Set<string>();
  return updates.filter(({ payment }) => !seen.has(payment.nonce) && seen.add(payment.nonce));
}

/** Cause and failure code when the provider captured something else than was asked. */
const otherAmount = 'amount_differs';

/** The state machine: pure, so that tests can combine every order with every event. */
export function changesBy(
  order: Order,
  payment: PspPayment,
  { askAgainMs, authorizedAskMs, nowMs, attemptsMax }: Omit<ApplyContext, 'source'>,
): readonly OrderChange[] {
  if (payment.sequence <= order.pspSequence) return [];
  const reported: OrderChange['set'] = {
    pspSequence: payment.sequence,
    pspReference: payment.reference,
    ...(payment.token === undefined || order.pspToken !== undefined ? {} : { pspToken: payment.token }),
    // A challenge is on a page of its own.
    ...(payment.pageUrl === undefined || (order.pspPageUrl !== undefined && payment.status !== 'challenge')
      ? {}
      : { pspPageUrl: payment.pageUrl }),
  };
  if (payment.status === 'captured') return captured(order, payment, reported);
  if (order.isFinal) return [{ set: reported, cause: 'news_after_end' }];
  const open = reopened(order);
  if (payment.status === 'authorized' && order.manualCapture)
    return [...open, authorized(order, reported, { nowMs, authorizedAskMs })];
  switch (payment.status) {
    case 'declined':
      return [...open, failed(reported, payment.code ?? 'card_declined')];
    case 'expired':
    case 'voided':
      return [...open, closed(order, reported, { nowMs, attemptsMax, otherwise: payment.status })];
    case 'registered':
    case 'processing':
    case 'authorized':
    case 'review':
    case 'challenge': {
      const pending =
        payment.status === 'registered'
          ? 'buyer'
          : payment.status === 'authorized'
            ? 'processing'
            : payment.status;
      const person = pending === 'review' || pending === 'challenge';
      return [
        ...open,
        {
          set: {
            ...reported,
            pending,
            failureCode: undefined,
            nextAttemptMs: Math.max(nowMs, askAgainMs(order)),
            ...(person ? { notifyBuyer: true } : {}),
          },
          cause: payment.status,
          event: { kind: 'pending' },
        },
      ];
    }
  }
}

function captured(order: Order, payment: PspPayment, reported: OrderChange['set']): readonly OrderChange[] {
  if (order.capturedMinor > 0n) return [{ set: reported, cause: 'captured_again' }];
  const { capturedMinor } = payment;
  const wanted = order.manualCapture ? order.captureMinor : order.amountMinor;
  const right = capturedMinor === wanted && payment.currency === order.currency;
  if (right && !order.isFinal) {
    const set = {
      ...reported,
      status: 'SUCCESS',
      isFinal: true,
      pending: undefined,
      nextAttemptMs: undefined,
      failureCode: undefined,
      capturedMinor,
    } as const;
    const feeMinor = feeOf(order.fee, capturedMinor);
    const fee = feeMinor === 0n ? {} : { feeMinor };
    const event = { kind: 'succeeded', amountMinor: capturedMinor, ...fee } as const;
    return [...reopened(order), { set, cause: 'captured', event }];
  }
  // Money in another currency cannot be booked on this order: a person must decide.
  if (payment.currency !== order.currency) {
    const ended = order.isFinal ? [] : [...reopened(order), failed(reported, otherAmount, true)];
    return ended.length > 0 ? ended : [{ set: reported, cause: otherAmount }];
  }
  const cause = right ? 'captured_late' : otherAmount;
  const end = order.isFinal ? [] : [...reopened(order), failed({}, cause)];
  return [
    ...end,
    {
      set: { ...reported, capturedMinor },
      cause,
      event: { kind: 'capturedLate', amountMinor: capturedMinor },
    },
  ];
}

/** Until the seller captures or voids it, the provider is asked now and then whether it has expired. */
function authorized(
  order: Order,
  reported: OrderChange['set'],
  { nowMs, authorizedAskMs }: Pick<ApplyContext, 'nowMs' | 'authorizedAskMs'>,
): OrderChange {
  const requested = order.captureMinor > 0n || order.voidRequested;
  const pending = requested ? ('unknown' as const) : ('capture' as const);
  const nextAttemptMs = requested ? nowMs : nowMs + authorizedAskMs;
  return {
    set: { ...reported, pending, failureCode: undefined, nextAttemptMs },
    cause: 'authorized',
    event: { kind: 'pending' },
  };
}

/**
 * An order that waits for its next attempt, or was never started here, is restarted before the event is
 * applied.
 */
function reopened(order: Order): readonly OrderChange[] {
  if (order.status === 'EXECUTING') return [];
  return [{ set: { status: 'EXECUTING', pending: 'processing' }, cause: 'news', event: { kind: 'started' } }];
}

/** Refunds the complete amount under an id that follows from the order, so that it happens once. */
async function sendBack(
  tx: SqlSession,
  order: Order,
  { capturedMinor }: PspPayment,
  context: ChangeContext,
): Promise<void> {
  const refundId = `late_${createHash('sha256').update(order.id).digest('hex').slice(0, 40)}`;
  const at = new Date(context.nowMs);
  await tx.query(
    `INSERT INTO payment_refunds (refund_id, payment_order_id, amount, amount_minor, currency, reason, requested_by,
       next_attempt_at, created_at, changed_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8, $8)`,
    [
      refundId,
      order.id,
      formatMoney({ minor: capturedMinor, currency: order.currency }),
      capturedMinor,
      order.currency,
      'money captured for a payment that had ended',
      'meridian',
      at,
    ],
  );
  await changeOrder(
    tx,
    order,
    { set: { refundingMinor: capturedMinor }, cause: 'refund_requested' },
    context,
  );
}
