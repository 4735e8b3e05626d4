import type { SqlRow, SqlSession } from '#platform/sql/sql.js';
import { savedCardLimits } from '../cards/limits.js';
import { mayKeepAnother } from '../cards/saved-card.js';
import { type Order, readOrder } from '../orders/order.js';
import type { PspAnswer } from '../psp/psp.js';
import type { PspCard } from '../psp/psp-card.js';
import { retryAfter } from '../settings/retry-policy.js';
import { pspOrderOf } from './execute-order.js';
import { type ExecutorDeps, providerOf } from './executor-deps.js';

interface Due extends SqlRow {
  readonly card_id: string;
  readonly payment_order_id: string;
  readonly state: 'wanted' | 'deleting';
  readonly provider: string | null;
  readonly token: string | null;
  readonly customer: string | null;
  readonly attempts: number;
  readonly wanted_at: Date;
}

/**
 * Looks up cards that buyers agreed to have kept, once their payments have ended, and deletes cards at their
 * providers. Either is repeated until the provider answers. Any number of processes may run it. Resolves with
 * whether there is more.
 */
export async function workOnCards(deps: ExecutorDeps): Promise<boolean> {
  const now = new Date(deps.nowMs());
  const { rows } = await deps.sql.query<Due>(
    `UPDATE saved_card SET next_attempt_at = $2 WHERE card_no IN (
       SELECT card_no FROM saved_card WHERE next_attempt_at <= $1
       ORDER BY next_attempt_at LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING card_id, payment_order_id, state, provider, token, customer, attempts, wanted_at`,
    [now, new Date(now.getTime() + deps.settings.savedCards.leaseMs), savedCardLimits.dueMax],
  );
  for (const due of rows)
    await (due.state === 'wanted' ? lookUp(deps, due) : deleteAtProvider(deps, due)).catch((error: Error) =>
      deps.logger.warn('a saved card is worked on again later', {
        cardId: due.card_id,
        cause: error.message,
      }),
    );
  return rows.length >= savedCardLimits.dueMax;
}

async function lookUp(deps: ExecutorDeps, due: Due): Promise<void> {
  const { order, isOver } = await lastTried(deps.sql, due.payment_order_id);
  const nowMs = deps.nowMs();
  if (!isOver) return lookAgain(deps.sql, due, nowMs + waitOf(deps, nowMs - due.wanted_at.getTime()));
  if (order.capturedMinor === 0n) {
    const lateMs = order.changedMs + deps.settings.savedCards.lateMs;
    return lateMs > nowMs ? lookAgain(deps.sql, due, lateMs) : notKept(deps.sql, due);
  }
  const psp = providerOf(deps, order);
  const answer: PspAnswer<PspCard> =
    psp === undefined
      ? { kind: 'unknown', reason: 'the provider of the payment is not configured' }
      : await psp.keptCard(pspOrderOf(order));
  await deps.reach('after-psp-call');
  if (answer.kind === 'absent') return notKept(deps.sql, due);
  if (answer.kind !== 'known') return later(deps, due, answer);
  await keep(deps, due, order, answer.value);
}

/**
 * After a declined card another order of the checkout pays, with the card that is kept. Over: the order is
 * final, and no other follows.
 */
async function lastTried(
  session: SqlSession,
  orderId: string,
): Promise<{ readonly order: Order; readonly isOver: boolean }> {
  const { rows } = await session.query<SqlRow & { id: string; takes_retries: boolean }>(
    `WITH RECURSIVE tried AS (
       SELECT payment_order_id, checkout_id, 0 AS n FROM payment_orders WHERE payment_order_id = $1
       UNION ALL
       SELECT o.payment_order_id, o.checkout_id, n + 1 FROM tried JOIN payment_orders o
         ON o.retry_of = tried.payment_order_id)
     SELECT t.payment_order_id AS id, e.takes_retries FROM tried t JOIN payment_events e USING (checkout_id)
     ORDER BY n DESC LIMIT 1`,
    [orderId],
  );
  const [last] = rows;
  const order = (await readOrder(session, last!.id))!;
  const mayFollow = order.status === 'FAILED' && last!.takes_retries;
  return { order, isOver: order.isFinal && !mayFollow };
}

function waitOf({ settings }: ExecutorDeps, ageMs: number): number {
  const { lookEveryMsMin, lookEveryMsMax } = settings.savedCards;
  return Math.min(lookEveryMsMax, Math.max(lookEveryMsMin, ageMs / 4));
}

/**
 * A card of a payment that failed, or one too many, is deleted at the provider at once, as is one whose
 * deletion was requested before we had it.
 */
async function keep(deps: ExecutorDeps, due: Due, order: Order, card: PspCard): Promise<void> {
  const now = new Date(deps.nowMs());
  const { caller, buyerAccount, sellerAccount, provider = '' } = order;
  const { keptMax } = deps.settings.savedCards;
  await deps.sql.transaction(async (tx) => {
    const owner = JSON.stringify(['cards', caller, buyerAccount, sellerAccount]);
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [owner]);
    const isWelcome =
      order.status === 'SUCCESS' &&
      (await mayKeepAnother(tx, { caller, buyerAccount, sellerAccount }, keptMax));
    await tx.query(
      `UPDATE saved_card SET provider = $2, token = $3, customer = $4, brand = $5, last4 = $6,
         expiry_month = $7,
         kept_at = $8::timestamptz, attempts = 0, failure = NULL,
         state = CASE WHEN $9::boolean AND deletion_requested_at IS NULL THEN 'kept' ELSE 'deleting' END,
         next_attempt_at = CASE WHEN $9::boolean AND deletion_requested_at IS NULL THEN NULL ELSE $8::timestamptz END
       WHERE card_id = $1 AND state = 'wanted'`,
      [
        due.card_id,
        provider,
        card.token,
        card.customer,
        card.brand,
        card.last4,
        card.expiryMonth,
        now,
        isWelcome,
      ],
    );
  });
}

async function deleteAtProvider(deps: ExecutorDeps, due: Due): Promise<void> {
  const psp = providerOf(deps, { provider: due.provider ?? undefined });
  const answer: PspAnswer<'deleted'> =
    psp === undefined
      ? { kind: 'unknown', reason: 'the provider of the card is not configured' }
      : await psp.deleteCard({ token: due.token!, customer: due.customer! });
  await deps.reach('after-psp-call');
  if (answer.kind !== 'known' && answer.kind !== 'absent') return later(deps, due, answer);
  await deps.sql.query(
    `UPDATE saved_card SET state = 'deleted', deleted_at = $2, next_attempt_at = NULL, failure = NULL,
       token = NULL, customer = NULL, brand = NULL, last4 = NULL, expiry_month = NULL
     WHERE card_id = $1 AND state = 'deleting'`,
    [due.card_id, new Date(deps.nowMs())],
  );
}

async function lookAgain(session: SqlSession, { card_id: id }: Due, atMs: number): Promise<void> {
  await session.query(`UPDATE saved_card SET next_attempt_at = $2 WHERE card_id = $1 AND state = 'wanted'`, [
    id,
    new Date(atMs),
  ]);
}

async function notKept(session: SqlSession, { card_id: id }: Due): Promise<void> {
  await session.query(
    `UPDATE saved_card SET state = 'not_kept', next_attempt_at = NULL
     WHERE card_id = $1 AND state = 'wanted'`,
    [id],
  );
}

/** For as long as it takes; after the usual number of attempts the log has an error. */
async function later(
  deps: ExecutorDeps,
  { card_id: id, state, attempts: before }: Due,
  answer: Exclude<PspAnswer<never>, { kind: 'known' | 'absent' }>,
): Promise<void> {
  const { retry } = deps.settings;
  const attempts = before + 1;
  const asked = answer.kind === 'refused' ? answer.retryAfterMs : undefined;
  const waitMs = retryAfter(retry, attempts, deps.random(), asked) ?? retry.capMs;
  const failure = answer.kind === 'refused' ? answer.code : answer.reason.slice(0, 200);
  await deps.sql.query(
    `UPDATE saved_card SET next_attempt_at = $3, attempts = $4, failure = $5
     WHERE card_id = $1 AND state = $2`,
    [id, state, new Date(deps.nowMs() + waitMs), attempts, failure],
  );
  if (attempts === retry.attemptsMax)
    deps.logger.error(
      state === 'deleting'
        ? 'a saved card is not deleted at the provider yet'
        : 'a saved card could not be read from the provider yet',
      { cardId: id, cause: failure },
    );
}
