import { type Sql, type SqlSession, sqlState } from '#platform/sql/sql.js';
import { formatMoney, parseMoney } from '../money/money.js';
import { changeOrder } from './change-order.js';
import { type Order, readOrder } from './order.js';
import { readOrderMoney } from './order-money.js';
import { type Refund, readRefund } from './refund.js';

export interface RefundRequest {
  readonly caller: string;
  readonly key: string;
  readonly fingerprint: Uint8Array;
  readonly paymentOrderId: string;
  readonly refundId: string;
  /** What is left of the payment when absent. */
  readonly amount: string | undefined;
  readonly reason: string;
  /**
   * A second person must agree when all refunds of the order together exceed this many minor units, however
   * many requests they come in. Absent: one person may decide alone.
   */
  readonly secondPersonAboveMinor?: bigint;
}

export type RefundOutcome =
  | { readonly outcome: 'accepted'; readonly refund: Refund }
  | { readonly outcome: 'replayed'; readonly refund: Refund; readonly mismatch: boolean }
  | { readonly outcome: 'taken' | 'not refundable' | 'unknown order' }
  | { readonly outcome: 'invalid'; readonly reason: string }
  | { readonly outcome: 'above captured'; readonly left: string };

const operation = 'POST /v1/payments/refunds';

/** Thrown to roll the key back: a refused refund does not use it up. */
class Refused extends Error {
  readonly outcome: RefundOutcome;

  constructor(outcome: RefundOutcome) {
    super('refused');
    this.outcome = outcome;
  }
}

/**
 * Stores a refund, once for each key of a caller. All refunds of an order and what its buyer's bank has taken
 * back together never exceed what was captured: its row is locked.
 */
export async function requestRefund(sql: Sql, request: RefundRequest, nowMs: number): Promise<RefundOutcome> {
  try {
    await sql.transaction((tx) => store(tx, request, nowMs));
  } catch (error) {
    if (error instanceof Refused) return error.outcome;
    if (sqlState(error) !== '23505') throw error;
    return (await replayed(sql, request)) ?? { outcome: 'taken' };
  }
  return { outcome: 'accepted', refund: (await readRefund(sql, request.refundId))! };
}

async function store(tx: SqlSession, request: RefundRequest, nowMs: number): Promise<void> {
  const now = new Date(nowMs);
  await tx.query(
    `INSERT INTO payment_requests (caller, operation, idempotency_key, fingerprint, resource_id, created_at, answered_at)
     VALUES ($1, $2, $3, $4, $5, $6, $6)`,
    [request.caller, operation, request.key, request.fingerprint, request.refundId, now],
  );
  const order = await readOrder(tx, request.paymentOrderId, 'for update');
  if (order === undefined) throw new Refused({ outcome: 'unknown order' });
  // To refund what the bank took back as well would pay the buyer twice.
  const { leftMinor } = (await readOrderMoney(tx, order.id))!;
  const amountMinor = amountOf(order, leftMinor, request.amount);
  const refundingMinor = order.refundingMinor + amountMinor;
  const { secondPersonAboveMinor: limit } = request;
  const needsSecond = limit !== undefined && refundingMinor > limit;
  await tx.query(
    `INSERT INTO payment_refunds (refund_id, payment_order_id, amount, amount_minor, currency, reason, requested_by,
       next_attempt_at, created_at, changed_at, needs_second)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10)`,
    [
      request.refundId,
      order.id,
      request.amount ?? formatMoney({ minor: amountMinor, currency: order.currency }),
      amountMinor,
      order.currency,
      request.reason,
      request.caller,
      needsSecond ? null : now,
      now,
      needsSecond,
    ],
  );
  const set = { refundingMinor };
  const event = { kind: 'refundRequested', amountMinor, subjectId: request.refundId } as const;
  const context = { nowMs, source: request.caller };
  await changeOrder(tx, order, { set, cause: 'refund_requested', event }, context);
}

function amountOf(order: Order, left: bigint, amount: string | undefined): bigint {
  if (order.status !== 'SUCCESS') throw new Refused({ outcome: 'not refundable' });
  const leftText = formatMoney({ minor: left, currency: order.currency });
  if (amount === undefined) {
    if (left === 0n) throw new Refused({ outcome: 'above captured', left: leftText });
    return left;
  }
  const parsed = parseMoney(amount, order.currency);
  if (parsed.kind === 'refused') throw new Refused({ outcome: 'invalid', reason: parsed.reason });
  if (parsed.money.minor > left) throw new Refused({ outcome: 'above captured', left: leftText });
  return parsed.money.minor;
}

async function replayed(session: SqlSession, request: RefundRequest): Promise<RefundOutcome | undefined> {
  const { rows } = await session.query<{ readonly fingerprint: Uint8Array; readonly resource_id: string }>(
    'SELECT fingerprint, resource_id FROM payment_requests ' +
      'WHERE caller = $1 AND operation = $2 AND idempotency_key = $3',
    [request.caller, operation, request.key],
  );
  const refund = rows[0] && (await readRefund(session, rows[0].resource_id));
  if (rows[0] === undefined || refund === undefined) return undefined;
  const mismatch = Buffer.compare(rows[0].fingerprint, request.fingerprint) !== 0;
  return { outcome: 'replayed', refund, mismatch };
}
