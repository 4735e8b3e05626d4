import { Batcher, type BatcherOptions } from '#platform/batcher/batcher.js';
import { oneStatement } from '#platform/sql/one-statement.js';
import { type Sql, type SqlSession, sqlState } from '#platform/sql/sql.js';
import { newPageId, storePage } from '../card-pages/store-page.js';
import { withReference } from '../cards/card-of-payment.js';
import { findUsableCard, mayKeepAnother } from '../cards/saved-card.js';
import { hasCard, storeCards } from '../cards/store-cards.js';
import type { ReachFaultPoint } from '../faults/fault-points.js';
import { buyerIdentities } from '../risk/buyer-identities.js';
import { assessOrWait, type RiskCheck } from '../risk/risk-check.js';
import type { PaymentSettings } from '../settings/settings.js';
import { changeOrder } from './change-order.js';
import { type FeesOfOrders, newOrders } from './new-orders.js';
import { type Order, readOrder } from './order.js';
import { storeSubmissions, submitOperation } from './store-submissions.js';
import type { Judged, Submission } from './submission.js';

export interface SubmitDeps {
  readonly sql: Sql;
  readonly settings: PaymentSettings;
  readonly risk: RiskCheck;
  readonly nowMs: () => number;
  readonly reach: ReachFaultPoint;
  readonly batched: SubmissionBatchers;
}

/** Concurrent submissions are looked up, and stored, in batches. */
export interface SubmissionBatchers {
  find(asked: Asked): Promise<Found | undefined>;
  store(judged: Judged): Promise<FeesOfOrders>;
}

export function batchSubmissions(sql: Sql, gathering: Partial<BatcherOptions> = {}): SubmissionBatchers {
  const finds = new Batcher((asked: readonly Asked[]) => findRequests(sql, asked), gathering);
  const stores = new Batcher(async (judged: readonly Judged[]) => {
    const isMore = judged.some(
      (one) => one.decision.decision === 'block' || hasCard(one) || one.submission.pageId !== undefined,
    );
    const fees = isMore
      ? await sql.transaction((tx) => storeWithMore(tx, judged))
      : await oneStatement(sql, (session) => storeSubmissions(session, judged));
    return judged.map(() => fees);
  }, gathering);
  return {
    find: (asked) => finds.call(asked),
    store: (judged) => stores.call(judged),
  };
}

export type SubmitOutcome =
  | { readonly outcome: 'accepted'; readonly orders: readonly Order[] }
  /** The key was used before: its payment event, and whether the body was another one. */
  | {
      readonly outcome: 'replayed';
      readonly checkoutId: string;
      readonly mismatch: boolean;
      readonly answered: boolean;
      readonly createdMs: number;
    }
  /** It does not exist, is deleted, or is another buyer's or another seller's. */
  | { readonly outcome: 'no such card' }
  /** The buyer keeps as many cards with this seller as is possible. */
  | { readonly outcome: 'too many cards' }
  | { readonly outcome: 'taken'; readonly what: 'checkout_id' | 'payment_order_id' };

/**
 * Stores a payment event with its orders, once for each key of a caller. The unique constraint decides: of
 * two requests with one key, the second waits for the commit of the first and then finds its event.
 */
export async function submitPayment(deps: SubmitDeps, submitted: Submission): Promise<SubmitOutcome> {
  const nowMs = deps.nowMs();
  // Before the risk check, which may take time or refuse. The constraint below decides.
  const before = await deps.batched.find(submitted);
  if (before !== undefined) return before;
  const found = await withSavedCard(deps.sql, submitted, deps.settings.savedCards.keptMax);
  if (typeof found === 'string') return { outcome: found };
  const submission = found.onePage === true ? { ...found, pageId: newPageId() } : found;
  const decision = await assessOrWait(deps.risk, {
    caller: submission.caller,
    checkoutId: submission.checkoutId,
    nowMs,
    buyer: buyerIdentities(submission),
    orders: submission.orders.map(({ id, sellerAccount, money }) => ({
      id,
      sellerAccount,
      amountMinor: money.minor,
    })),
  });
  const { registrationMs } = deps.settings;
  const judged = { submission, decision, riskCheck: deps.risk.name, nowMs, registrationMs };
  let fees: FeesOfOrders;
  try {
    fees = await deps.batched.store(judged);
  } catch (error) {
    // It was deleted meanwhile.
    if (constraintOf(error) === 'saved_card_is_usable') return { outcome: 'no such card' };
    const taken = sqlState(error) === '23505' ? constraintOf(error) : undefined;
    if (taken === undefined) throw error;
    const replay = await deps.batched.find(submission);
    if (replay !== undefined) return replay;
    return { outcome: 'taken', what: ofCheckout.has(taken) ? 'checkout_id' : 'payment_order_id' };
  }
  await deps.reach('after-submit');
  return { outcome: 'accepted', orders: newOrders(judged, fees) };
}

/** What a used `checkout_id` violates; which one the database reports first is not said. */
const ofCheckout: ReadonlySet<string> = new Set([
  'payment_events_pkey',
  'payment_orders_checkout_id_position_key',
  'payment_card_page_checkout_id_number_key',
]);

/** With the provider's names of the saved card that pays. */
async function withSavedCard(
  session: SqlSession,
  submission: Submission,
  keptMax: number,
): Promise<Submission | 'no such card' | 'too many cards'> {
  const { savedCardId, keepsCard, caller, buyerAccount, orders, cardInfo } = submission;
  const sellerAccounts = orders.map(({ sellerAccount }) => sellerAccount);
  if (keepsCard === true) {
    const owner = { caller, buyerAccount, sellerAccount: sellerAccounts[0]! };
    if (!(await mayKeepAnother(session, owner, keptMax))) return 'too many cards';
  }
  if (savedCardId === undefined) return submission;
  const savedCard = await findUsableCard(session, savedCardId, { caller, buyerAccount, sellerAccounts });
  return savedCard === undefined
    ? 'no such card'
    : { ...submission, savedCard, cardInfo: withReference(cardInfo, savedCard) };
}

/** The first answer is being sent. From now on, equal requests get the stored event. */
export async function markAnswered(
  session: SqlSession,
  caller: string,
  key: string,
  nowMs: number,
): Promise<void> {
  await session.query(
    `UPDATE payment_requests SET answered_at = $4
     WHERE caller = $1 AND operation = $2 AND idempotency_key = $3 AND answered_at IS NULL`,
    [caller, submitOperation, key, new Date(nowMs)],
  );
}

/** Deletes expired keys. Payment order ids still prevent a second payment. */
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

type Found = SubmitOutcome & { outcome: 'replayed' };
type Asked = Pick<Submission, 'caller' | 'key' | 'fingerprint'>;

async function findRequests(
  session: SqlSession,
  asked: readonly Asked[],
): Promise<ReadonlyArray<Found | undefined>> {
  const { rows } = await session.query<{
    readonly n: bigint;
    readonly fingerprint: Uint8Array;
    readonly resource_id: string;
    readonly created_at: Date;
    readonly answered_at: Date | null;
  }>(
    `SELECT u.n, r.fingerprint, r.resource_id, r.created_at, r.answered_at
     FROM unnest($1::text[], $2::text[]) WITH ORDINALITY u (caller, key, n) CROSS JOIN LATERAL (SELECT * FROM payment_requests
       WHERE caller = u.caller AND operation = $3 AND idempotency_key = u.key OFFSET 0) r`,
    [asked.map(({ caller }) => caller), asked.map(({ key }) => key), submitOperation],
  );
  const found = new Map(rows.map((row) => [Number(row.n) - 1, row]));
  return asked.map(({ fingerprint }, index) => {
    const row = found.get(index);
    if (row === undefined) return undefined;
    return {
      outcome: 'replayed',
      checkoutId: row.resource_id,
      mismatch: Buffer.compare(row.fingerprint, fingerprint) !== 0,
      answered: row.answered_at !== null,
      createdMs: row.created_at.getTime(),
    };
  });
}

/**
 * With what saved cards and the card of a page need. A blocked event ends at once, on the documented path
 * and without the provider.
 */
async function storeWithMore(tx: SqlSession, judged: readonly Judged[]): Promise<FeesOfOrders> {
  for (const { submission, nowMs } of judged) {
    const { pageId: id, checkoutId } = submission;
    if (id !== undefined) await storePage(tx, { id, checkoutId, number: 1 }, new Date(nowMs));
  }
  const fees = await storeSubmissions(tx, judged);
  for (const one of judged) {
    const { submission, decision, nowMs } = one;
    if (hasCard(one)) await storeCards(tx, one);
    if (decision.decision !== 'block') continue;
    for (const { id } of submission.orders)
      await endWithoutProvider(tx, id, 'risk_blocked', { nowMs, source: 'risk' });
  }
  return fees;
}

/** NOT_STARTED, EXECUTING, FAILED: an order that no buyer was asked to pay ends. */
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
  await changeOrder(tx, executing!, { set: ended, cause: code, event: { kind: 'failed' } }, context);
}

function constraintOf(error: unknown): string | undefined {
  return error instanceof Error && 'constraint' in error ? String(error.constraint) : undefined;
}
