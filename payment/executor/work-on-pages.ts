import { cardPageLimits as limits } from '../card-pages/limits.js';
import type { PspAnswer } from '../psp/psp.js';
import type { PspCardPage } from '../psp/psp-card-page.js';
import { retryAfter } from '../settings/retry-policy.js';
import { type CardPage, cardPageOf, ordersOfPage, pspPageOf } from './card-page.js';
import { type ExecutorDeps, providerOf } from './executor-deps.js';
import { openPage } from './open-page.js';
import { endPage, settlePage } from './settle-page.js';
import { takeCard } from './take-card.js';

/**
 * One round: registers pages that are wanted, takes their cards, and deletes cards that no order needs. Each
 * step is repeated until the provider answers, by any number of processes. `wakeOrders` is called when orders
 * may begin. Resolves with whether there is more.
 */
export async function workOnPages(deps: ExecutorDeps, wakeOrders: () => void): Promise<boolean> {
  const now = new Date(deps.nowMs());
  const { rows } = await deps.sql.query(
    `UPDATE payment_card_page SET next_attempt_at = $2 WHERE page_id IN (
       SELECT page_id FROM payment_card_page WHERE next_attempt_at <= $1
       ORDER BY next_attempt_at LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING *`,
    [now, new Date(now.getTime() + deps.settings.leaseMs), limits.dueMax],
  );
  await Promise.all(
    rows
      .map(cardPageOf)
      .map((page) =>
        workOn(deps, page, wakeOrders).catch((error: Error) =>
          deps.logger.warn('a card page is worked on again later', { pageId: page.id, cause: error.message }),
        ),
      ),
  );
  return rows.length >= limits.dueMax;
}

function workOn(deps: ExecutorDeps, page: CardPage, wakeOrders: () => void): Promise<void> {
  switch (page.state) {
    case 'wanted':
      return register(deps, page);
    case 'open':
      return look(deps, page, wakeOrders);
    case 'charging':
      return settle(deps, page);
    case 'deleting':
      return remove(deps, page);
  }
}

async function register(deps: ExecutorDeps, page: CardPage): Promise<void> {
  const orders = await ordersOfPage(deps.sql, page.id);
  const waiting = orders.filter(({ status }) => status === 'NOT_STARTED');
  if (waiting.length === 0) return endPage(deps, page);
  // The buyer types the card once, so people decide first.
  if (waiting.some(({ pending }) => pending === 'review')) return lookAgain(deps, page, page.createdMs);
  const failure = await openPage(deps, page, waiting);
  if (failure !== undefined) await later(deps, page, failure);
}

/** While an order waits for the card, the provider is asked whether it has one; then the page is closed. */
async function look(deps: ExecutorDeps, page: CardPage, wakeOrders: () => void): Promise<void> {
  const orders = await ordersOfPage(deps.sql, page.id);
  const waiting = orders.filter(({ status }) => status === 'NOT_STARTED');
  const psp = providerOf(deps, page);
  const asked = pspPageOf(page, orders, orders[0]!.expiresMs);
  const isWanted = waiting.length > 0;
  await deps.reach(isWanted ? 'page-before-look' : 'page-before-close');
  const answer: PspAnswer<PspCardPage> =
    psp === undefined ? noResult : isWanted ? await psp.cardPage(asked) : await psp.closeCardPage(asked);
  await deps.reach(isWanted ? 'page-after-look' : 'page-after-close');
  if (answer.kind !== 'known') return later(deps, page, answer);
  const { state } = answer.value;
  if (state.kind === 'taken') {
    await takeCard(deps, page, state.card);
    wakeOrders();
  } else if (!isWanted) await endPage(deps, page);
  else await lookAgain(deps, page, page.createdMs);
}

async function settle(deps: ExecutorDeps, page: CardPage): Promise<void> {
  const isSettled = await settlePage(deps, page);
  if (!isSettled) await lookAgain(deps, page, page.takenMs ?? page.createdMs);
}

async function remove(deps: ExecutorDeps, page: CardPage): Promise<void> {
  const psp = providerOf(deps, page);
  await deps.reach('card-before-delete');
  const answer: PspAnswer<'deleted'> =
    psp === undefined || page.card === undefined ? noResult : await psp.deleteCard(page.card);
  await deps.reach('card-after-delete');
  if (answer.kind !== 'known' && answer.kind !== 'absent') return later(deps, page, answer);
  await deps.sql.query(
    `UPDATE payment_card_page SET state = 'ended', ended_at = $2, next_attempt_at = NULL, failure = NULL,
       card_token = NULL, customer = NULL, page_url = NULL WHERE page_id = $1 AND state = 'deleting'`,
    [page.id, new Date(deps.nowMs())],
  );
  await deps.reach('card-delete-after-commit');
}

const noResult = { kind: 'unknown', reason: 'the provider gave no result' } as const;

/** The older it is, the less often. */
async function lookAgain(deps: ExecutorDeps, page: CardPage, sinceMs: number): Promise<void> {
  const nowMs = deps.nowMs();
  const { cardPages, askAfterMsMax } = deps.settings;
  const { lookEveryMsMin, wantedMsMax, chargingMsMax } = cardPages;
  const mostMs =
    page.state === 'wanted' ? wantedMsMax : page.state === 'charging' ? chargingMsMax : askAfterMsMax;
  const waitMs = Math.min(mostMs, Math.max(lookEveryMsMin, (nowMs - sinceMs) / 4));
  await due(deps, page, nowMs + waitMs, 0, null);
}

/** For as long as it takes; after the usual number of attempts the log has an error. */
async function later(
  deps: ExecutorDeps,
  page: CardPage,
  answer: Exclude<PspAnswer<never>, { kind: 'known' }>,
): Promise<void> {
  const { retry } = deps.settings;
  const attempts = page.attempts + 1;
  const asked = answer.kind === 'refused' ? answer.retryAfterMs : undefined;
  const waitMs = retryAfter(retry, attempts, deps.random(), asked) ?? retry.capMs;
  const failure =
    answer.kind === 'refused'
      ? answer.code
      : answer.kind === 'absent'
        ? 'absent'
        : answer.reason.slice(0, 200);
  await due(deps, page, deps.nowMs() + waitMs, attempts, failure);
  if (attempts === retry.attemptsMax)
    deps.logger.error('a card page has no answer from the provider yet', { pageId: page.id, cause: failure });
}

async function due(
  { sql }: ExecutorDeps,
  page: CardPage,
  atMs: number,
  attempts: number,
  failure: string | null,
): Promise<void> {
  await sql.query(
    `UPDATE payment_card_page SET next_attempt_at = $3, attempts = $4, failure = $5
     WHERE page_id = $1 AND state = $2`,
    [page.id, page.state, new Date(atMs), attempts, failure],
  );
}
