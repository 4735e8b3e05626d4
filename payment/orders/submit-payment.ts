import { type Sql, type SqlSession, sqlState } from '#platform/sql/sql.js';
import type { ReachFaultPoint } from '../executor/fault-points.js';
import type { Money } from '../money/money.js';
import { assessOrWait, type RiskCheck, type RiskDecision } from '../risk/risk-check.js';
import type { PaymentSettings } from '../settings.js';
import { changeOrder } from './change-order.js';
import { readOrder } from './order.js';

export interface Submission {
  readonly caller: string;
  readonly key: string;
  readonly fingerprint: Uint8Array;
  readonly checkoutId: string;
  readonly buyerAccount: string;
  /** JSON. */
  readonly buyerInfo: string;
  readonly cardInfo: string;
  readonly orders: readonly {
    readonly id: string;
    readonly sellerAccount: string;
    readonly amount: string;
    readonly money: Money;
  }[];
}

export interface SubmitDeps {
  readonly sql: Sql;
  readonly settings: PaymentSettings;
  readonly risk: RiskCheck;
  readonly nowMs: () => number;
  readonly reach: ReachFaultPoint;
}

export type SubmitOutcome =
  | { readonly outcome: 'accepted'; readonly orderIds: readonly string[] }
  /** The key was used before: its payment event, and whether the body was another one. */
  | {
      readonly outcome: 'replayed';
      readonly checkoutId: string;
      readonly mismatch: boolean;
      readonly answered: boolean;
      readonly createdMs: number;
    }
  | { readonly outcome: 'taken'; readonly what: 'checkout_id' | 'payment_order_id' };

const operation = 'POST /v1/payments';

/**
 * Stores a payment event with its orders, once for each key of a caller. The unique constraint decides: of two requests with one key the
 * second waits for the first to commit, and then finds it.
 */
export async function submitPayment(deps: SubmitDeps, submission: Submission): Promise<SubmitOutcome> {
  const nowMs = deps.nowMs();
  // Before the judgement, which may take time or refuse; the constraint below is what decides.
  const before = await findRequest(deps.sql, submission);
  if (before !== undefined) return before;
  const decision = await assessOrWait(deps.risk, {
    caller: submission.caller,
    checkoutId: submission.checkoutId,
    nowMs,
    orders: submission.orders.map(({ id, money }) => ({ id, amountMinor: money.minor })),
  });
  try {
    await deps.sql.transaction((tx) => store(tx, deps, submission, decision, nowMs));
  } catch (error) {
    const taken = sqlState(error) === '23505' ? constraintOf(error) : undefined;
    if (taken === undefined) throw error;
    const replay = await findRequest(deps.sql, submission);
    if (replay !== undefined) return replay;
    return { outcome: 'taken', what: taken === 'payment_events_pkey' ? 'checkout_id' : 'payment_order_id' };
  }
  await deps.reach('after-submit');
  return { outcome: 'accepted', orderIds: submission.orders.map(({ id }) => id) };
}

/** The first answer is on its way: equal requests get the object from now on and need not come again. */
export async function markAnswered(
  session: SqlSession,
  caller: string,
  key: string,
  nowMs: number,
): Promise<void> {
  await session.query(
    `UPDATE payment_requests SET answered_at = $4
     WHERE caller = $1 AND operation = $2 AND idempotency_key = $3 AND answered_at IS NULL`,
    [caller, operation, key, new Date(nowMs)],
  );
}

/** Forgets keys that are older than their retention; payment order ids go on to block a second payment. */
export async function forgetOldKeys(
  session: SqlSession,
  nowMs: number,
  retentionMs: number,
): Promise<number> {
  const { rowCount } = await session.query('DELETE FROM payment_requests WHERE created_at < $1', [
    new Date(nowMs - retentionMs),
  ]);
  return rowCount;
}

async function findRequest(
  session: SqlSession,
  { caller, key, fingerprint }: Submission,
): Promise<(SubmitOutcome & { outcome: 'replayed' }) | undefined> {
  const { rows } = await session.query<{
    readonly fingerprint: Uint8Array;
    readonly resource_id: string;
    readonly created_at: Date;
    readonly answered_at: Date | null;
  }>(
    `SELECT fingerprint, resource_id, created_at, answered_at FROM payment_requests
     WHERE caller = $1 AND operation = $2 AND idempotency_key = $3`,
    [caller, operation, key],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    outcome: 'replayed',
    checkoutId: row.resource_id,
    mismatch: Buffer.compare(row.fingerprint, fingerprint) !== 0,
    answered: row.answered_at !== null,
    createdMs: row.created_at.getTime(),
  };
}

async function store(
  tx: SqlSession,
  deps: SubmitDeps,
  submission: Submission,
  decision: RiskDecision,
  nowMs: number,
): Promise<void> {
  const now = new Date(nowMs);
  const { caller, checkoutId } = submission;
  await tx.query(
    `INSERT INTO payment_requests (caller, operation, idempotency_key, fingerprint, resource_id, created_at)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [caller, operation, submission.key, submission.fingerprint, checkoutId, now],
  );
  await deps.reach('after-key-insert');
  await tx.query(
    `INSERT INTO payment_events (checkout_id, caller, buyer_info, credit_card_info, created_at) VALUES ($1, $2, $3, $4, $5)`,
    [checkoutId, caller, submission.buyerInfo, submission.cardInfo, now],
  );
  const { orders } = submission;
  await tx.query(
    `INSERT INTO payment_orders (payment_order_id, checkout_id, position, buyer_account, seller_account, amount, amount_minor, currency,
       pending, next_attempt_at, expires_at, notify_buyer, created_at, changed_at, version)
     SELECT id, $1, position - 1, $2, seller, amount, minor, currency, $3, $4, $5, $6, $7, $7, 0
     FROM unnest($8::text[], $9::text[], $10::text[], $11::bigint[], $12::text[])
       WITH ORDINALITY AS o (id, seller, amount, minor, currency, position)`,
    [
      checkoutId,
      submission.buyerAccount,
      decision.decision === 'review' ? 'review' : null,
      decision.decision === 'review' ? null : now,
      new Date(nowMs + deps.settings.registrationMs),
      decision.decision === 'review',
      now,
      orders.map(({ id }) => id),
      orders.map(({ sellerAccount }) => sellerAccount),
      orders.map(({ amount }) => amount),
      orders.map(({ money }) => money.minor),
      orders.map(({ money }) => money.currency),
    ],
  );
  await tx.query(
    `INSERT INTO payment_risk_checks (payment_order_id, decision, reason, source, at)
     SELECT unnest($1::text[]), $2, $3, $4, $5`,
    [orders.map(({ id }) => id), decision.decision, decision.reason, deps.risk.name, now],
  );
  for (const { id } of orders) await begin(tx, id, decision, nowMs);
}

/** Version 1 tells that the order is there; a blocked one ends at once, on the documented path and without the provider. */
async function begin(
  tx: SqlSession,
  id: string,
  { decision, reason }: RiskDecision,
  nowMs: number,
): Promise<void> {
  const context = { nowMs, source: 'risk' };
  const stored = await readOrder(tx, id);
  const created = await changeOrder(
    tx,
    stored!,
    { set: {}, cause: decision === 'review' ? reason : 'created', tell: { kind: 'created' } },
    context,
  );
  if (decision === 'block') await endWithoutProvider(tx, created!.id, 'risk_blocked', context);
}

/** NOT_STARTED, EXECUTING, FAILED: an order that nobody was asked to pay comes to its end. */
export async function endWithoutProvider(
  tx: SqlSession,
  orderId: string,
  code: string,
  context: { readonly nowMs: number; readonly source: string },
): Promise<void> {
  const order = await readOrder(tx, orderId, 'for update');
  if (order?.status !== 'NOT_STARTED') return;
  const begun = { status: 'EXECUTING', pending: 'processing', nextAttemptMs: undefined } as const;
  const executing = await changeOrder(tx, order, { set: begun, cause: code }, context);
  const ended = { status: 'FAILED', isFinal: true, pending: undefined, failureCode: code } as const;
  await changeOrder(tx, executing!, { set: ended, cause: code, tell: { kind: 'failed' } }, context);
}

function constraintOf(error: unknown): string | undefined {
  return error instanceof Error && 'constraint' in error ? String(error.constraint) : undefined;
}
