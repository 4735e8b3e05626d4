import { hasAnyScope, type Identity } from '#platform/http/identity.js';
import type { SqlSession } from '#platform/sql/sql.js';
import type { Scope } from '#schemas/http/route-contract.js';
import { accountsOf } from '../merchant/merchant-accounts.js';

const pageDefault = 50;

/** A page of a list by number; staff see all sellers, merchants their own. */
export async function pageOfSellers<State>(
  sql: SqlSession,
  identity: Identity,
  staff: readonly Scope[],
  query: { readonly after?: string; readonly limit?: number; readonly status?: State },
) {
  return {
    sellers: hasAnyScope(identity, staff) ? ('all' as const) : await accountsOf(sql, identity.userId),
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
