import type { Sql, SqlSession } from '#platform/sql/sql.js';
import { sellerAccount } from '../ledger/accounts.js';
import type { TransferKind, TransferPhase } from '../ledger/transfer.js';
import type { Currency } from '../money/currency.js';
import { completeEntryIndex } from './entry-index.js';
import { merchantLimits } from './limits.js';

/** One posting on a seller account, from the seller's side: what is credited is positive. Minor units. */
export interface MerchantEntry {
  /** Counts the postings of the account, from 1. */
  readonly sequence: bigint;
  readonly at: Date;
  readonly kind: TransferKind;
  readonly phase: TransferPhase;
  /** 0 for a reservation and its cancellation. */
  readonly amountMinor: bigint;
  readonly balanceMinor: bigint;
  /** By how much the reservations grew. */
  readonly reservedMinor: bigint;
  /** The payment order, the payout or the finding. */
  readonly subject: string;
  readonly operation: string;
}

/** A ledger account and how far it goes: postings after `after` up to `through`. */
export interface EntryRange {
  readonly accountNo: bigint;
  readonly after: bigint;
  readonly through: bigint;
}

export interface EntryFilter {
  readonly seller: string;
  readonly currency: Currency;
  /** Half-open: `from` counts, `to` does not. */
  readonly from?: Date;
  readonly to?: Date;
  readonly kind?: TransferKind;
  readonly subject?: string;
  /** Only postings before this one. */
  readonly before?: bigint;
  readonly limit: number;
}

export interface EntryPage {
  readonly entries: readonly MerchantEntry[];
  /** `before` of the next page. */
  readonly next: bigint | undefined;
}

/**
 * Postings of a seller account, newest first. Undefined while the index is too far behind the ledger: the
 * same call succeeds later.
 */
export async function listEntries(sql: Sql, filter: EntryFilter): Promise<EntryPage | undefined> {
  if (!(await completeEntryIndex(sql))) return undefined;
  const range = await rangeOf(sql, filter, filter);
  if (range === undefined) return { entries: [], next: undefined };
  const { before, limit } = filter;
  const through = before !== undefined && before - 1n < range.through ? before - 1n : range.through;
  if (filter.subject !== undefined) return page(await ofSubject(sql, { ...range, through }, filter), limit);
  const examined = filter.kind === undefined ? limit + 1 : merchantLimits.examinedMax;
  const read = await readEntries(sql, { ...range, through }, { newestFirst: true, limit: examined });
  if (filter.kind === undefined) return page(read, limit);
  const found = page(
    read.filter(({ kind }) => kind === filter.kind),
    limit,
  );
  if (found.next !== undefined || read.length < examined) return found;
  return { ...found, next: read.at(-1)!.sequence };
}

function page(read: readonly MerchantEntry[], limit: number): EntryPage {
  const entries = read.slice(0, limit);
  return { entries, next: read.length > limit ? entries.at(-1)!.sequence : undefined };
}

/** The postings of a time, by the balance history. Undefined for an account without postings. */
export async function rangeOf(
  session: SqlSession,
  { seller, currency }: Pick<EntryFilter, 'seller' | 'currency'>,
  { from, to }: Pick<EntryFilter, 'from' | 'to'>,
): Promise<(EntryRange & { readonly openingMinor: bigint; readonly closingMinor: bigint }) | undefined> {
  const { rows } = await session.query<{
    readonly account_no: bigint;
    readonly after: bigint;
    readonly opening: bigint;
    readonly through: bigint;
    readonly closing: bigint;
  }>(
    `SELECT a.account_no, o.sequence AS after, -o.balance AS opening, c.sequence AS through, -c.balance AS closing
     FROM ledger_account a,
       ledger_balance_at(a.account_no, $2::timestamptz - interval '1 microsecond') o,
       ledger_balance_at(a.account_no, $3::timestamptz - interval '1 microsecond') c
     WHERE a.id = $1`,
    [sellerAccount(seller, currency), from?.toISOString() ?? '-infinity', to?.toISOString() ?? 'infinity'],
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    accountNo: row.account_no,
    after: row.after,
    through: row.through,
    openingMinor: row.opening,
    closingMinor: row.closing,
  };
}

const columns = `t.posted_at, t.kind, t.phase, t.subject, t.operation, t.amount, t.released,
  t.debit_account = $1 AS is_debit,
  CASE WHEN t.debit_account = $1 THEN t.debit_sequence ELSE t.credit_sequence END AS sequence,
  CASE WHEN t.debit_account = $1 THEN t.debit_balance ELSE t.credit_balance END AS balance`;

interface Row extends Readonly<Record<string, unknown>> {
  readonly posted_at: Date;
  readonly kind: TransferKind;
  readonly phase: TransferPhase;
  readonly subject: string;
  readonly operation: string;
  readonly amount: bigint;
  readonly released: bigint;
  readonly is_debit: boolean;
  readonly sequence: bigint;
  readonly balance: bigint;
}

/** OFFSET keeps the planner from another order of joins: the index first, then the few transfers. */
export async function readEntries(
  session: SqlSession,
  { accountNo, after, through }: EntryRange,
  { newestFirst, limit }: { readonly newestFirst: boolean; readonly limit: number },
): Promise<readonly MerchantEntry[]> {
  const direction = newestFirst ? 'DESC' : 'ASC';
  const { rows } = await session.query<Row>(
    `SELECT ${columns} FROM (
       SELECT sequence, batch_no FROM merchant_entry WHERE account_no = $1 AND sequence > $2 AND sequence <= $3
       ORDER BY sequence ${direction} LIMIT $4) e
     CROSS JOIN LATERAL (SELECT * FROM ledger_transfer t WHERE t.batch_no = e.batch_no
       AND (t.debit_account = $1 AND t.debit_sequence = e.sequence
         OR t.credit_account = $1 AND t.credit_sequence = e.sequence) OFFSET 0) t
     ORDER BY sequence ${direction}`,
    [accountNo, after, through, limit],
  );
  return rows.map(entryOf);
}

/** All of one payment or payout: the ledger itself finds them by its key. */
async function ofSubject(
  session: SqlSession,
  { accountNo, after, through }: EntryRange,
  { subject, kind, limit }: EntryFilter,
): Promise<readonly MerchantEntry[]> {
  const { rows } = await session.query<Row>(
    `SELECT * FROM (
       SELECT ${columns} FROM ledger_transfer t
       WHERE t.subject = $4 AND (t.debit_account = $1 OR t.credit_account = $1)) e
     WHERE sequence > $2 AND sequence <= $3 AND ($5::text IS NULL OR kind = $5)
     ORDER BY sequence DESC LIMIT $6`,
    [accountNo, after, through, subject!, kind ?? null, limit + 1],
  );
  return rows.map(entryOf);
}

/** A seller's account is a liability: its debits reduce what we owe. */
function entryOf(row: Row): MerchantEntry {
  const moved = row.phase === 'posted' || row.phase === 'post' ? row.amount : 0n;
  const reserved = row.phase === 'pending' ? row.amount : -row.released;
  return {
    sequence: row.sequence,
    at: row.posted_at,
    kind: row.kind,
    phase: row.phase,
    amountMinor: row.is_debit ? -moved : moved,
    balanceMinor: -row.balance,
    reservedMinor: row.is_debit ? reserved : 0n,
    subject: row.subject,
    operation: row.operation,
  };
}
