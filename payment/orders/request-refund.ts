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
  /** For a request by a person: above these limits a second one must agree. Absent: nobody else decides. */
  readonly alone?: RefundsAlone;
}

/** What one person may refund without another one, in minor units. */
export interface RefundsAlone {
  /** All refunds of the order together, however many requests they come in. */
  readonly ofOrderMinor: bigint;
  /** What the person requested alone in the last 24 hours in this currency, over all orders. */
  readonly inADayMinor: bigint;
}

export type RefundOutcome =
  | { readonly outcome: 'accepted'; readonly refund: Refund }
  | { readonly outcome: 'replayed'; readonly refund: Refund; readonly mismatch: boolean }
  | { readonly outcome: 'taken' | 'not refundable' | 'unknown order' }
  | { readonly outcome: 'invalid'; readonly reason: string }
  | { readonly outcome: 'above captured'; readonly left: string };

const operation = 'POST /v1/payments/refunds';
const dayMs = 24 * 3_600_000;

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
  const needsSecond = await exceedsOnePerson(tx, request, order, amountMinor, now);
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

async function exceedsOnePerson(
  tx: SqlSession,
  { alone, caller }: RefundRequest,
  { refundingMinor, currency }: Order,
  amountMinor: bigint,
  now: Date,
): Promise<boolean> {
  if (alone === undefined) return false;
  if (refundingMinor + amountMinor > alone.ofOrderMinor) return true;
  // Two requests of one person for two orders would each count only what came before both. Taken last, so
  // that no request holds this lock while it waits for an order.
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`refunds of ${caller}`]);
  const { rows } = await tx.query<{ readonly minor: bigint }>(
    `SELECT coalesce(sum(amount_minor), 0)::bigint AS minor FROM payment_refunds
     WHERE requested_by = $1 AND created_at > $2 AND currency = $3 AND NOT needs_second
       AND refund_status <> 'FAILED'`,
    [caller, new Date(now.getTime() - dayMs), currency],
  );
  return rows[0]!.minor + amountMinor > alone.inADayMinor;
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
