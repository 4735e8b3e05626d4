import type { Sql, SqlTransaction } from '#platform/sql/sql.js';
import { formatMoney, parseMoney } from '../money/money.js';
import { changeOrder } from './change-order.js';
import { type Order, readOrder } from './order.js';

export interface CaptureRequest {
  readonly paymentOrderId: string;
  /** The authorized amount when absent. */
  readonly amount: string | undefined;
  readonly who: string;
}

export type CaptureOutcome =
  /** `repeated`: it was requested before, with this amount. */
  | { readonly kind: 'accepted' | 'repeated' | 'not authorized' | 'requested otherwise' }
  | { readonly kind: 'invalid'; readonly reason: string }
  | { readonly kind: 'above authorized'; readonly authorized: string };

/**
 * Stores that the seller takes the authorized amount or a part of it. There is one capture; the rest is
 * released. The executor sends it until its outcome is known, so a repeated request has no further effect.
 */
export async function requestCapture(
  sql: Sql,
  request: CaptureRequest,
  nowMs: number,
): Promise<CaptureOutcome> {
  return sql.transaction(async (tx) => {
    const order = (await readOrder(tx, request.paymentOrderId, 'for update'))!;
    const amount = amountOf(order, request.amount);
    if (typeof amount !== 'bigint') return amount;
    if (order.captureMinor > 0n)
      return { kind: order.captureMinor === amount ? 'repeated' : 'requested otherwise' };
    if (order.pending !== 'capture' || order.voidRequested) return { kind: 'not authorized' };
    await tx.query('UPDATE payment_orders SET capture_minor = $2 WHERE payment_order_id = $1', [
      order.id,
      amount,
    ]);
    await proceed(tx, order, 'capture_requested', request.who, nowMs);
    return { kind: 'accepted' };
  });
}

/** Stores that the seller takes nothing: the executor releases the authorized amount. */
export async function requestVoid(
  sql: Sql,
  { paymentOrderId, who }: Omit<CaptureRequest, 'amount'>,
  nowMs: number,
): Promise<'accepted' | 'repeated' | 'not authorized'> {
  return sql.transaction(async (tx) => {
    const order = (await readOrder(tx, paymentOrderId, 'for update'))!;
    if (order.voidRequested) return 'repeated';
    if (order.pending !== 'capture') return 'not authorized';
    await tx.query('UPDATE payment_orders SET void_requested = true WHERE payment_order_id = $1', [order.id]);
    await proceed(tx, order, 'void_requested', who, nowMs);
    return 'accepted';
  });
}

/** The order waits for the provider now, from whom the resolver gets the outcome. */
async function proceed(
  tx: SqlTransaction,
  order: Order,
  cause: string,
  who: string,
  nowMs: number,
): Promise<void> {
  const set = { pending: 'unknown', nextAttemptMs: nowMs } as const;
  await changeOrder(tx, order, { set, cause }, { nowMs, source: who });
}

function amountOf({ amountMinor, currency }: Order, amount: string | undefined): bigint | CaptureOutcome {
  if (amount === undefined) return amountMinor;
  const parsed = parseMoney(amount, currency);
  if (parsed.kind === 'refused') return { kind: 'invalid', reason: parsed.reason };
  if (parsed.money.minor <= amountMinor) return parsed.money.minor;
  return { kind: 'above authorized', authorized: formatMoney({ minor: amountMinor, currency }) };
}
