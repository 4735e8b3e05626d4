import type { Sql } from '#platform/sql/sql.js';
import type { Currency } from '../money/currency.js';
import { completeEntryIndex } from './entry-index.js';
import { merchantLimits } from './limits.js';
import { type MerchantEntry, rangeOf, readEntries } from './merchant-entries.js';

/** Opening balance + entries = closing balance. Minor units. */
export interface Statement {
  readonly seller: string;
  readonly currency: Currency;
  readonly from: Date;
  /** Not part of it. */
  readonly to: Date;
  readonly openingMinor: bigint;
  readonly closingMinor: bigint;
  /** Those that move money, oldest first; reservations move none. */
  readonly entries: readonly MerchantEntry[];
}

export type StatementOutcome =
  | { readonly kind: 'statement'; readonly statement: Statement }
  | { readonly kind: 'too long'; readonly entries: bigint }
  /** The index is too far behind the ledger: the same call succeeds later. */
  | { readonly kind: 'not yet' };

export type StatementRequest = Pick<Statement, 'seller' | 'currency' | 'from' | 'to'>;

/**
 * Both balances come from the ledger's balance history, the entries from the ledger. Throws if they do not
 * add up or one is missing: a wrong statement is never given to anybody.
 */
export async function statementOf(sql: Sql, request: StatementRequest): Promise<StatementOutcome> {
  const range = await rangeOf(sql, request, request);
  if (range === undefined)
    return { kind: 'statement', statement: { ...request, openingMinor: 0n, closingMinor: 0n, entries: [] } };
  const count = range.through - range.after;
  if (count > BigInt(merchantLimits.statementEntriesMax)) return { kind: 'too long', entries: count };
  if (!(await completeEntryIndex(sql))) return { kind: 'not yet' };
  const all = await readEntries(sql, range, { newestFirst: false, limit: Number(count) });
  const statement = {
    ...request,
    openingMinor: range.openingMinor,
    closingMinor: range.closingMinor,
    entries: all,
  };
  requireSum(statement, count);
  return {
    kind: 'statement',
    statement: { ...statement, entries: all.filter(({ amountMinor }) => amountMinor !== 0n) },
  };
}

export function requireSum(
  { seller, currency, openingMinor, closingMinor, entries }: Statement,
  count: bigint,
): void {
  const sum = entries.reduce((total, { amountMinor }) => total + amountMinor, openingMinor);
  if (sum !== closingMinor || BigInt(entries.length) !== count)
    throw new Error(
      `The statement of ${seller} in ${currency} has ${entries.length} of ${count} entries, and they lead ` +
        `from ${openingMinor} to ${sum}, not to ${closingMinor}.`,
    );
}
