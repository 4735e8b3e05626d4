import type { Sql, SqlSession } from '#platform/sql/sql.js';
import { completeEntryIndex } from '../merchant/entry-index.js';
import { type EntryRange, type MerchantEntry, rangeOf, readEntries } from '../merchant/merchant-entries.js';
import { parseCurrency } from '../money/currency.js';
import {
  type Earnings,
  earnedMinor,
  earningMoves,
  earningsOf,
  isPartOf,
  type PayoutOnAccount,
  payoutsOnAccount,
} from '../payouts/paid-earnings.js';
import { type Payout, payoutOf } from '../payouts/payout.js';
import { traceLimits } from './limits.js';

/**
 * The payment orders behind an entry of the ledger whose subject is no payment order: a finding, a payout to
 * a seller, a payout of the provider, or the fees of a settlement file. Ids; empty for any other subject, and
 * for money that came without an order of ours. Undefined while the index of the sellers' postings is too far
 * behind the ledger.
 */
export async function ordersBehind(sql: Sql, subject: string): Promise<readonly string[] | undefined> {
  const finding = numberIn(subject, 'finding-');
  const file = numberIn(subject, 'settlement-');
  const payout = await payoutOf(sql, subject);
  // One id may be several of these: providers and callers choose theirs.
  const found = [
    finding === undefined ? [] : await behindFinding(sql, finding),
    file === undefined ? [] : await behindFees(sql, file),
    payout === undefined ? [] : await behindSellerPayout(sql, payout),
    await behindProviderPayout(sql, subject),
  ];
  return found.includes(undefined) ? undefined : found.flatMap((orders) => orders ?? []);
}

const numberIn = (subject: string, prefix: string): bigint | undefined =>
  subject.startsWith(prefix) && /^[1-9]\d{0,17}$/.test(subject.slice(prefix.length))
    ? BigInt(subject.slice(prefix.length))
    : undefined;

/** Of the order that the finding names, of the provider's payout, or of the seller whose wallet differs. */
async function behindFinding(sql: Sql, findingNo: bigint): Promise<readonly string[] | undefined> {
  const { rows } = await sql.query<{
    readonly about: string | null;
    readonly seller_account: string | null;
    readonly currency: string | null;
    readonly found_at: Date;
  }>(
    `SELECT payment_order_id AS about, seller_account, currency, found_at FROM reconciliation_finding
     WHERE finding_no = $1`,
    [findingNo],
  );
  const [row] = rows;
  if (row === undefined) return [];
  const { about, seller_account: seller, found_at: to } = row;
  if (about !== null) return [about, ...(await behindProviderPayout(sql, about))];
  const currency = parseCurrency(row.currency);
  if (seller === null || currency === undefined) return [];
  if (!(await completeEntryIndex(sql))) return undefined;
  const range = await rangeOf(sql, { seller, currency }, { to });
  if (range === undefined) return [];
  const entries = await newest(sql, range);
  return ordersOf(
    sql,
    entries.map(({ subject }) => subject),
  );
}

/** Those that the provider paid to our bank: the parts that the file names, or all of the file. */
const behindProviderPayout = (session: SqlSession, payoutId: string): Promise<readonly string[]> =>
  ordersOfLines(
    session,
    `SELECT l.payment_order_id FROM settlement_payout p CROSS JOIN LATERAL (
       SELECT * FROM settlement_line l WHERE l.file_no = p.file_no AND l.succeeded AND l.currency = p.currency
         AND CASE WHEN p.names_parts THEN l.payout_id = p.payout_id ELSE l.payout_id IS NULL END OFFSET 0) l
     WHERE p.payout_id = $1 AND NOT p.is_repeated AND l.kind NOT IN ('payout', 'payout_returned')`,
    payoutId,
  );

/** Those whose fees the provider withheld from the payouts of a file. */
const behindFees = (session: SqlSession, fileNo: bigint): Promise<readonly string[]> =>
  ordersOfLines(
    session,
    `SELECT l.payment_order_id FROM settlement_file f CROSS JOIN LATERAL (
       SELECT * FROM settlement_line l WHERE l.file_no = f.file_no AND l.succeeded
         AND (l.payout_id IS NOT NULL) = EXISTS (
           SELECT FROM settlement_payout p WHERE p.file_no = f.file_no AND p.names_parts) OFFSET 0) l
     WHERE f.file_no = $1::bigint AND l.kind NOT IN ('payout', 'payout_returned')`,
    fileNo,
  );

async function ordersOfLines(
  session: SqlSession,
  lines: string,
  of: string | bigint,
): Promise<readonly string[]> {
  const { rows } = await session.query<{ readonly id: string }>(
    `SELECT DISTINCT payment_order_id AS id FROM (${lines} LIMIT ${traceLimits.behindLinesMax}) l`,
    [of],
  );
  return rows.map(({ id }) => id);
}

/** Payouts take the earnings of a seller in their order: paid-earnings.ts. */
async function behindSellerPayout(
  sql: Sql,
  { payoutId, sellerAccount: seller, amount }: Payout,
): Promise<readonly string[] | undefined> {
  if (!(await completeEntryIndex(sql))) return undefined;
  const payouts = await payoutsOnAccount(sql, seller, amount.currency);
  const payout = payouts.find((one) => one.payoutId === payoutId);
  if (payout === undefined) return [];
  const account = { sql, payouts, accountNo: payout.accountNo };
  const parts = earningsOf(payouts).get(payoutId)!;
  const last = payout.sent - 1n;
  const subjects: string[] = [];
  for (const part of parts) {
    const near = await subjectsOf(account, part, last);
    // Later ones may be many, as when a payout leaves out the last days.
    const found =
      near.length > 0 ? near : await subjectsOf(account, part, await reachedBy(account, part, last));
    subjects.push(...found);
  }
  return ordersOf(sql, subjects);
}

interface Account {
  readonly sql: Sql;
  readonly payouts: readonly PayoutOnAccount[];
  readonly accountNo: bigint;
}

/** Of the postings up to `through` that moved this part of the earnings. */
async function subjectsOf(
  { sql, payouts, accountNo }: Account,
  part: Earnings,
  through: bigint,
): Promise<readonly string[]> {
  const read = await newest(sql, { accountNo, after: 0n, through });
  return earningMoves(payouts, read)
    .filter(({ from, to }) => isPartOf([part], from, to))
    .map(({ subject }) => subject);
}

/**
 * By bisection, the last posting of an operation that led the running total of the earnings across the end of
 * this part. It did by `last`: all below is held by payouts, and what they hold was there to be paid.
 */
async function reachedBy(account: Account, { upTo }: Earnings, last: bigint): Promise<bigint> {
  let low = 0n;
  let high = last;
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (earnedMinor(account.payouts, await operationEnd(account, middle)) >= upTo) high = middle;
    else low = middle;
  }
  return (await operationEnd(account, high)).sequence;
}

/** The last posting of the operation that a posting is a leg of. */
async function operationEnd({ sql, accountNo }: Account, sequence: bigint): Promise<MerchantEntry> {
  const range = { accountNo, after: sequence - 1n, through: sequence + legsMax };
  const entries = await readEntries(sql, range, { newestFirst: false, limit: Number(legsMax) + 1 });
  const [first] = entries;
  return entries.findLast(
    ({ subject, operation }) => subject === first!.subject && operation === first!.operation,
  )!;
}

/** A capture or refund has one leg for the amount and one for our fee; a decision has at most two legs. */
const legsMax = 2n;

/** Payouts move no earnings. */
async function newest(session: SqlSession, range: EntryRange): Promise<readonly MerchantEntry[]> {
  const limit = traceLimits.behindEntriesMax;
  const read = await readEntries(session, range, { newestFirst: true, limit });
  return read.filter(({ kind }) => kind !== 'payout');
}

/** A decision moves the money of the order that its finding names. */
async function ordersOf(session: SqlSession, subjects: readonly string[]): Promise<readonly string[]> {
  const findings = subjects.flatMap((subject) => numberIn(subject, 'finding-') ?? []);
  if (findings.length === 0) return subjects;
  const { rows } = await session.query<{ readonly id: string }>(
    `SELECT payment_order_id AS id FROM reconciliation_finding
     WHERE finding_no = ANY ($1::bigint[]) AND payment_order_id IS NOT NULL`,
    [findings],
  );
  return [...subjects, ...rows.map(({ id }) => id)];
}
