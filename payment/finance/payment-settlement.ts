import type { SqlSession } from '#platform/sql/sql.js';
import { sellerAccount } from '../ledger/accounts.js';
import type { TransferKind, TransferPhase } from '../ledger/transfer.js';
import { parseCurrency } from '../money/currency.js';
import type { Money } from '../money/money.js';
import type { Order } from '../orders/order.js';
import { earningMoves, earningsOf, isPartOf, payoutsOnAccount } from '../payouts/paid-earnings.js';
import { type Payout, payoutsById } from '../payouts/payout.js';
import type { SettlementSettings } from '../settings/settlement-settings.js';
import { traceLimits } from './limits.js';
import { type SettledLine, settledLines } from './settled-lines.js';

/** An entry of the ledger about where the money of a payment went. */
export interface SettlementEntry {
  readonly at: Date;
  /** A payout, `settlement-<file_no>` for fees that were withheld from it, or `finding-<finding_no>`. */
  readonly subject: string;
  readonly operation: string;
  readonly kind: TransferKind;
  readonly phase: TransferPhase;
  readonly amount: Money;
  readonly debit: string;
  readonly credit: string;
}

export interface PaymentSettlement {
  readonly lines: readonly SettledLine[];
  /** To the seller, in their order, also those that failed. */
  readonly payouts: readonly Payout[];
  /** Of both kinds of payouts, oldest first. */
  readonly entries: readonly SettlementEntry[];
  /** Something was left out. */
  readonly hasMore: boolean;
}

/** Where the money of a payment went: from the provider to our bank, and from there to the seller. */
export async function settlementOf(
  session: SqlSession,
  order: Order,
  settings: SettlementSettings,
): Promise<PaymentSettlement> {
  const { lines, hasMore } = await settledLines(
    session,
    { orderId: order.id, provider: order.provider },
    settings,
  );
  const ids = await sellerPayouts(session, order);
  const shown = ids.slice(-traceLimits.payoutsMax);
  const payouts = await payoutsById(session, shown);
  const entries = await entriesAbout(session, order, lines, shown);
  return {
    lines,
    payouts,
    entries: entries.slice(0, traceLimits.entriesMax),
    hasMore: hasMore || shown.length < ids.length || entries.length > traceLimits.entriesMax,
  };
}

/** Ids of those that took what its postings moved on the account of the seller: paid-earnings.ts. */
async function sellerPayouts(session: SqlSession, order: Order): Promise<readonly string[]> {
  const { sellerAccount: seller, currency } = order;
  const { rows } = await session.query<{
    readonly sequence: bigint;
    readonly subject: string;
    readonly operation: string;
    readonly balance: bigint;
    readonly amount: bigint;
  }>(
    `SELECT e.sequence, e.subject, e.operation, -e.balance_after AS balance, -e.amount AS amount FROM ledger_entry e
     WHERE e.account = $2 AND e.subject = ANY (ARRAY(SELECT $1 UNION ALL
       SELECT 'finding-' || finding_no FROM reconciliation_finding WHERE payment_order_id = $1))`,
    [order.id, sellerAccount(seller, currency)],
  );
  if (rows.length === 0) return [];
  const payouts = await payoutsOnAccount(session, seller, currency);
  const earnings = earningsOf(payouts);
  const moves = earningMoves(
    payouts,
    rows.map(({ balance, amount, ...row }) => ({ ...row, balanceMinor: balance, amountMinor: amount })),
  );
  return payouts
    .filter(({ payoutId, sent }) =>
      moves.some(({ sequence, from, to }) => sequence < sent && isPartOf(earnings.get(payoutId)!, from, to)),
    )
    .map(({ payoutId }) => payoutId);
}

async function entriesAbout(
  session: SqlSession,
  { id, sellerAccount: seller, currency }: Order,
  lines: readonly SettledLine[],
  sellerPayoutIds: readonly string[],
): Promise<readonly SettlementEntry[]> {
  const paid = lines.filter(({ payoutIds }) => payoutIds.length > 0);
  const providerPayouts = [...new Set(paid.flatMap(({ payoutIds }) => payoutIds))];
  const fees = paid.map(({ fileNo, currency: of }) => [`settlement-${fileNo}`, `fees:${of}`] as const);
  const { rows } = await session.query<EntryRow>(
    `WITH subject AS (
       SELECT DISTINCT * FROM (
         SELECT subject, NULL AS operation FROM unnest($1::text[]) subject
         UNION ALL SELECT * FROM unnest($2::text[], $3::text[])
         -- What people decided about the payouts of the provider, and about the wallet of the seller since.
         UNION ALL SELECT 'finding-' || finding_no, NULL FROM reconciliation_finding
           WHERE payment_order_id = ANY ($4::text[])
         UNION ALL SELECT 'finding-' || n.finding_no, NULL FROM settlement_file f CROSS JOIN LATERAL (
           SELECT * FROM reconciliation_finding n WHERE n.file_no = f.file_no AND n.kind = 'wallet_differs'
             AND n.seller_account = $5 AND n.currency = $6 OFFSET 0) n
           WHERE n.found_at >= (SELECT min(posted_at) FROM ledger_transfer WHERE subject = $7)) s)
     SELECT t.posted_at, t.subject, t.operation, t.kind, t.phase, t.amount, t.currency, d.id AS debit, c.id AS credit
     FROM subject s CROSS JOIN LATERAL (SELECT * FROM ledger_transfer t WHERE t.subject = s.subject
       AND (s.operation IS NULL OR t.operation = s.operation) OFFSET 0) t
     JOIN ledger_account d ON d.account_no = t.debit_account
     JOIN ledger_account c ON c.account_no = t.credit_account
     ORDER BY t.batch_no, t.batch_sequence LIMIT ${traceLimits.entriesMax + 1}`,
    [
      [...sellerPayoutIds, ...providerPayouts],
      fees.map(([subject]) => subject),
      fees.map(([, operation]) => operation),
      providerPayouts,
      seller,
      currency,
      id,
    ],
  );
  return rows.map((row) => ({
    at: row.posted_at,
    subject: row.subject,
    operation: row.operation,
    kind: row.kind,
    phase: row.phase,
    amount: { minor: row.amount, currency: parseCurrency(row.currency)! },
    debit: row.debit,
    credit: row.credit,
  }));
}

interface EntryRow extends Readonly<Record<string, unknown>> {
  readonly posted_at: Date;
  readonly subject: string;
  readonly operation: string;
  readonly kind: TransferKind;
  readonly phase: TransferPhase;
  readonly amount: bigint;
  readonly currency: string;
  readonly debit: string;
  readonly credit: string;
}
