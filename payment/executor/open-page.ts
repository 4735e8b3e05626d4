import type { Order } from '../orders/order.js';
import type { Psp, PspAnswer } from '../psp/psp.js';
import type { PspCardPage } from '../psp/psp-card-page.js';
import { type CardPage, pspPageOf } from './card-page.js';
import type { ExecutorDeps } from './executor-deps.js';

/**
 * Registers a page for the orders that wait, at the first provider that gives one. Nobody can type a card
 * before its address is stored, so it may be registered again, also elsewhere. Resolves with what went wrong.
 */
export async function openPage(
  deps: ExecutorDeps,
  page: CardPage,
  waiting: readonly Order[],
): Promise<Exclude<PspAnswer<never>, { kind: 'known' }> | undefined> {
  const { settings } = deps;
  const nowMs = deps.nowMs();
  const endsMs = nowMs + settings.registrationMs;
  // The time of orders that people had to allow begins now.
  const expiresMs = Math.max(
    ...waiting.map((order) => (order.nextAttemptMs === undefined ? endsMs : order.expiresMs)),
  );
  const asked = pspPageOf(page, waiting, expiresMs);
  let failure: Exclude<PspAnswer<never>, { kind: 'known' }> = { kind: 'absent' };
  for (const psp of routeOf(deps, waiting, asked.totalMinor)) {
    await deps.reach('page-before-open');
    const answer = await psp.openCardPage(asked);
    await deps.reach('page-after-open');
    if (answer.kind !== 'known') {
      failure = answer;
      continue;
    }
    await store(deps, page, { provider: psp.name, opened: answer.value, endsMs });
    await deps.reach('page-open-after-commit');
    return undefined;
  }
  return failure;
}

/** Providers that can charge each of the orders, if there are any. */
function routeOf({ providers }: ExecutorDeps, orders: readonly Order[], total: bigint): readonly Psp[] {
  const route = providers.routeOf({ ...orders[0]!, amountMinor: total });
  const able = route.filter((psp) => orders.every((order) => psp.takes(order)));
  return able.length > 0 ? able : route;
}

/** Every order that waits shows the address. A page that is over already is registered again. */
async function store(
  { sql, nowMs, reach }: ExecutorDeps,
  page: CardPage,
  {
    provider,
    opened: { nonce, reference, token, state },
    endsMs,
  }: { readonly provider: string; readonly opened: PspCardPage; readonly endsMs: number },
): Promise<void> {
  if (state.kind !== 'open') throw new Error('The provider gave a page that is not open.');
  const now = new Date(nowMs());
  await sql.transaction(async (tx) => {
    const { rowCount } = await tx.query(
      `UPDATE payment_card_page SET state = 'open', provider = $2, nonce = $3, reference = $4, token = $5,
         page_url = $6, attempts = 0, failure = NULL, next_attempt_at = $7
       WHERE page_id = $1 AND state = 'wanted'`,
      [page.id, provider, nonce, reference, token, state.pageUrl, now],
    );
    if (rowCount === 0) return;
    await tx.query(
      `UPDATE payment_orders o SET psp_page_url = $2, version = version + 1, changed_at = $3,
         expires_at = CASE WHEN next_attempt_at IS NULL THEN $4 ELSE expires_at END,
         next_attempt_at = coalesce(next_attempt_at, $4)
       FROM (SELECT payment_order_id FROM payment_orders WHERE page_id = $1 AND pending = 'buyer'
         AND payment_order_status = 'NOT_STARTED' ORDER BY payment_order_id FOR UPDATE) w
       WHERE o.payment_order_id = w.payment_order_id`,
      [page.id, state.pageUrl, now, new Date(endsMs)],
    );
    await reach('page-open-before-commit');
  });
}
