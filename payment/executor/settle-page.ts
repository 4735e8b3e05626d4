import { randomUUID } from 'node:crypto';
import type { SqlSession } from '#platform/sql/sql.js';
import { newPageId, storePage } from '../card-pages/store-page.js';
import { anotherCardMayDo } from '../orders/code-actions.js';
import type { Order } from '../orders/order.js';
import { closeCheckout, storeRetry } from '../orders/retry-order.js';
import { type CardPage, ordersOfPage } from './card-page.js';
import type { ExecutorDeps } from './executor-deps.js';

/**
 * When no order needs the card any more, it is deleted, and another page takes another card for the orders
 * that were declined: each is followed by an order of its own, so that at most one of a seller succeeds.
 * Without such orders, or when time or cards are used up, the checkout is closed. Resolves with whether it
 * was settled.
 */
export async function settlePage(deps: ExecutorDeps, page: CardPage): Promise<boolean> {
  const { pagesMax, leastMs } = deps.settings.cardPages;
  const nowMs = deps.nowMs();
  const isSettled = await deps.sql.transaction(async (tx) => {
    const { rowCount } = await tx.query(
      `SELECT FROM payment_card_page WHERE page_id = $1 AND state = 'charging' FOR UPDATE`,
      [page.id],
    );
    if (rowCount === 0) return true;
    const orders = await ordersOfPage(tx, page.id, 'for update');
    if (!orders.every(isWithoutCard)) return false;
    const now = new Date(nowMs);
    await tx.query(
      `UPDATE payment_card_page SET state = 'deleting', next_attempt_at = $2, attempts = 0
       WHERE page_id = $1`,
      [page.id, now],
    );
    await tx.query(
      'UPDATE payment_orders SET page_card = NULL WHERE page_id = $1 AND page_card IS NOT NULL',
      [page.id],
    );
    const declined = orders.filter((order) => mayTryAgain(order, nowMs + leastMs));
    if (declined.length === 0 || page.number >= pagesMax || !(await isOpen(tx, page)))
      await closeCheckout(tx, page.checkoutId);
    else await offerAnother(tx, page, declined, now);
    await deps.reach('page-settle-before-commit');
    return true;
  });
  if (isSettled) await deps.reach('page-settle-after-commit');
  return isSettled;
}

/** It has ended, or the provider has all that it needs: nothing of it is sent with the card again. */
const isWithoutCard = ({ isFinal, status, pending }: Order): boolean =>
  isFinal || (status === 'EXECUTING' && ['processing', 'review', 'capture'].includes(pending ?? ''));

const mayTryAgain = ({ status, isFinal, failureCode, expiresMs }: Order, untilMs: number): boolean =>
  status === 'FAILED' && isFinal && expiresMs >= untilMs && anotherCardMayDo(failureCode ?? '');

async function isOpen(tx: SqlSession, { checkoutId }: CardPage): Promise<boolean> {
  const { rows } = await tx.query<{ readonly takes_retries: boolean }>(
    'SELECT takes_retries FROM payment_events WHERE checkout_id = $1 FOR UPDATE',
    [checkoutId],
  );
  return rows[0]!.takes_retries;
}

async function offerAnother(
  tx: SqlSession,
  { checkoutId, number }: CardPage,
  declined: readonly Order[],
  now: Date,
): Promise<void> {
  const pageId = newPageId();
  await storePage(tx, { id: pageId, checkoutId, number: number + 1 }, now);
  for (const { id, expiresMs } of declined) {
    const retry = { id: randomUUID(), retryOf: id, expiresMs, pageId };
    if (!(await storeRetry(tx, retry, now.getTime()))) throw new Error(`The order ${id} is not followed.`);
  }
}

/** No order waits for its card, and it never had one: the checkout is over. */
export async function endPage({ sql, nowMs, reach }: ExecutorDeps, page: CardPage): Promise<void> {
  await sql.transaction(async (tx) => {
    const { rowCount } = await tx.query(
      `UPDATE payment_card_page SET state = 'ended', ended_at = $2, next_attempt_at = NULL, page_url = NULL
       WHERE page_id = $1 AND state IN ('wanted', 'open')`,
      [page.id, new Date(nowMs())],
    );
    if (rowCount > 0) await closeCheckout(tx, page.checkoutId);
    await reach('page-end-before-commit');
  });
  await reach('page-end-after-commit');
}
