import { hasAnyScope, type Identity } from '#platform/http/identity.js';
import type { SqlSession } from '#platform/sql/sql.js';
import type { Scope } from '#schemas/http/route-contract.js';
import { accountsOf } from '../merchant/merchant-accounts.js';
import type { SellersSeen } from '../sellers/sellers-seen.js';

const pageDefault = 50;

/** Staff see all sellers, merchants their own. */
export const sellersSeenBy = async (
  sql: SqlSession,
  identity: Identity,
  staff: readonly Scope[],
): Promise<SellersSeen> => (hasAnyScope(identity, staff) ? 'all' : accountsOf(sql, identity.userId));

/** A page of a list by number. */
export async function pageOfSellers<State>(
  sql: SqlSession,
  identity: Identity,
  staff: readonly Scope[],
  query: { readonly after?: string; readonly limit?: number; readonly status?: State },
) {
  return {
    sellers: await sellersSeenBy(sql, identity, staff),
    after: BigInt(query.after ?? 0),
    limit: query.limit ?? pageDefault,
    ...(query.status === undefined ? {} : { state: query.status }),
  };
}

/** Where the next page begins; null after the last one. */
export const nextPage = <Item>(
  found: readonly Item[],
  limit: number,
  numberOf: (item: Item) => bigint,
): string | null => (found.length < limit ? null : numberOf(found.at(-1)!).toString());
