import type { Reply } from '../exchange.js';
import { balanceTransactions } from './stripe-balance.js';
import { doctoredBalance } from './stripe-doctored.js';
import type { StripePayouts } from './stripe-payouts.js';
import { invalid, type StripeApiDeps } from './stripe-request.js';

type Json = Readonly<Record<string, unknown>>;

const booksOf = ({ lines, doctored, nowMs }: StripeApiDeps): StripePayouts =>
  doctoredBalance(balanceTransactions(lines()), doctored(), nowMs());

/** Of a time, or of one payout. */
export function listBalance(query: URLSearchParams, deps: StripeApiDeps): Reply {
  const books = booksOf(deps);
  const payout = query.get('payout');
  const parts = payout === null ? books.transactions : books.partsOf.get(payout);
  if (parts === undefined) return invalid('resource_missing', 'payout');
  const isExpanded = query.get('expand[0]') === 'data.source';
  return listOf(parts, query, (one) =>
    isExpanded ? one : { ...one, source: (one['source'] as { id?: string } | null)?.id ?? null },
  );
}

export const listPayouts = (query: URLSearchParams, deps: StripeApiDeps): Reply =>
  listOf(
    [...booksOf(deps).payouts].toSorted((one, other) => Number(one['created']) - Number(other['created'])),
    query,
    (one) => one,
  );

/** Newest first, in pages, as every list of Stripe. */
function listOf(oldestFirst: readonly Json[], query: URLSearchParams, show: (one: Json) => Json): Reply {
  const [from, to] = [Number(query.get('created[gte]') ?? 0), Number(query.get('created[lt]') ?? Infinity)];
  const limit = Math.min(100, Number(query.get('limit') ?? 10));
  const all = oldestFirst
    .filter(({ created }) => Number(created) >= from && Number(created) < to)
    .toReversed();
  const after = query.get('starting_after');
  const start = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1;
  const data = all.slice(start, start + limit).map(show);
  return { status: 200, body: { object: 'list', data, has_more: start + limit < all.length } };
}
