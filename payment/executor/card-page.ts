import type { SqlRow, SqlSession } from '#platform/sql/sql.js';
import { type Order, readOrdersById } from '../orders/order.js';
import type { PspCardReference } from '../psp/psp-card.js';
import type { PspCardPageOrder } from '../psp/psp-card-page.js';

/** A page that takes a card for several orders, until it has ended. */
export interface CardPage {
  readonly id: string;
  readonly checkoutId: string;
  /** Counts the pages of a checkout from 1. */
  readonly number: number;
  readonly state: 'wanted' | 'open' | 'charging' | 'deleting';
  readonly provider: string | undefined;
  readonly nonce: string | undefined;
  readonly reference: string | undefined;
  readonly card: PspCardReference | undefined;
  readonly attempts: number;
  readonly createdMs: number;
  readonly takenMs: number | undefined;
}

export function cardPageOf(row: SqlRow): CardPage {
  const token = row['card_token'] as string | null;
  return {
    id: row['page_id'] as string,
    checkoutId: row['checkout_id'] as string,
    number: Number(row['number']),
    state: row['state'] as CardPage['state'],
    provider: (row['provider'] as string | null) ?? undefined,
    nonce: (row['nonce'] as string | null) ?? undefined,
    reference: (row['reference'] as string | null) ?? undefined,
    card: token === null ? undefined : { token, customer: row['customer'] as string },
    attempts: row['attempts'] as number,
    createdMs: (row['created_at'] as Date).getTime(),
    takenMs: (row['taken_at'] as Date | null)?.getTime(),
  };
}

/** In the order of their ids, in which orders are always locked. */
export async function ordersOfPage(
  session: SqlSession,
  pageId: string,
  lock: 'for update' | 'unlocked' = 'unlocked',
): Promise<readonly Order[]> {
  const { rows } = await session.query<{ readonly id: string }>(
    'SELECT payment_order_id AS id FROM payment_orders WHERE page_id = $1 ORDER BY payment_order_id',
    [pageId],
  );
  const ids = rows.map(({ id }) => id);
  const orders = await readOrdersById(session, ids, lock);
  return ids.map((id) => orders.get(id)!);
}

/**
 * How a provider is asked about the page. Each attempt to register it has a nonce of its own, because the
 * orders may have become fewer; nobody has the addresses of the others.
 */
export const pspPageOf = (page: CardPage, orders: readonly Order[], expiresMs: number): PspCardPageOrder => ({
  nonce: page.nonce ?? `${page.id}:${page.attempts + 1}`,
  payments: orders.length,
  totalMinor: orders.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
  currency: orders[0]!.currency,
  expiresMs,
  attempt: page.attempts + 1,
  ...(page.reference === undefined ? {} : { reference: page.reference }),
});
