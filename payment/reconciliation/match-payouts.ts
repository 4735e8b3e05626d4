import type { SqlSession, SqlTransaction } from '#platform/sql/sql.js';
import { accountOf } from '../ledger/accounts.js';
import { post } from '../ledger/ledger.js';
import type { Transfer } from '../ledger/transfer.js';
import { parseCurrency } from '../money/currency.js';
import { findingClasses } from './finding.js';
import { matchPayoutParts, namesParts, netMinor } from './match-payout-parts.js';
import { findReturned, returnedPayouts } from './returned-payouts.js';
import { payoutReturned, type SettledFile } from './settlement-line.js';

const storePayouts = `
INSERT INTO settlement_payout (file_no, line_no, payout_id, currency, amount_minor, is_repeated, names_parts)
SELECT l.file_no, l.line_no, l.payment_order_id, l.currency, l.amount_minor,
  row_number() OVER (PARTITION BY l.payment_order_id ORDER BY l.line_no) > 1 OR EXISTS (
    SELECT FROM settlement_payout p JOIN settlement_file f USING (file_no)
    WHERE f.provider = $2 AND p.file_no <> $1 AND p.payout_id = l.payment_order_id),
  EXISTS (SELECT FROM settlement_line a WHERE a.file_no = $1 AND a.payout_id = l.payment_order_id)
FROM settlement_line l WHERE l.file_no = $1 AND l.kind = 'payout' AND l.succeeded
ON CONFLICT DO NOTHING`;

/**
 * The payouts are compared with what the file says that they contain, or else with its operations. A provider
 * that has not reported a payout in a currency so far pays in another way: nothing is missing.
 */
const storeBalances = `
INSERT INTO settlement_balance (file_no, currency, owed_minor, fees_minor, paid_minor)
SELECT $1, c.currency, coalesce(n.net, 0) + CASE WHEN ${namesParts('$2')} THEN 0 ELSE coalesce((
    -- What the provider was owed is deducted from its next payout.
    SELECT least(0, b.owed_minor - b.paid_minor) FROM settlement_balance b JOIN settlement_file f USING (file_no)
    WHERE f.provider = $2 AND b.currency = c.currency AND f.file_no <> $1 AND f.period_to <= $3
    ORDER BY f.period_to DESC, f.file_no DESC LIMIT 1), 0) END,
  coalesce(n.fees, 0), coalesce(p.paid, 0)
FROM (SELECT DISTINCT p.currency FROM settlement_payout p JOIN settlement_file f USING (file_no)
  WHERE f.provider = $2 AND f.period_to <= $4) c
LEFT JOIN (SELECT currency, sum(amount_minor) AS paid FROM settlement_payout
  WHERE file_no = $1 AND NOT is_repeated GROUP BY currency) p USING (currency)
LEFT JOIN (SELECT currency, sum(fee_minor) AS fees,
    sum(${netMinor}) AS net
  FROM settlement_line WHERE file_no = $1 AND kind <> 'payout' AND succeeded
    AND (payout_id IS NOT NULL) = ${namesParts('$2')}
    AND EXISTS (SELECT FROM settlement_payout p JOIN settlement_file f USING (file_no) WHERE f.provider = $2)
  GROUP BY currency) n USING (currency)
ON CONFLICT DO NOTHING`;

const findPayouts = `
INSERT INTO reconciliation_finding (file_no, line_no, kind, class, payment_order_id, operation, currency, psp_minor,
  our_minor, found_at, changed_at)
SELECT $1, line_no, kind, (($2::jsonb) ->> kind)::smallint, payout_id, CASE WHEN payout_id IS NOT NULL THEN 'payout' END,
  currency, paid, owed, $3, $3
FROM (
  SELECT p.line_no, 'payout_repeated' AS kind, p.payout_id, p.currency, p.amount_minor AS paid, NULL::bigint AS owed
  FROM settlement_payout p WHERE p.file_no = $1 AND p.is_repeated
  UNION ALL
  SELECT p.line_no, CASE WHEN b.paid_minor = 0 THEN 'payout_missing' ELSE 'payout_differs' END, p.payout_id,
    b.currency, nullif(b.paid_minor, 0), greatest(b.owed_minor, 0)
  FROM settlement_balance b LEFT JOIN LATERAL (SELECT line_no, payout_id FROM settlement_payout p
    WHERE p.file_no = $1 AND p.currency = b.currency AND NOT p.is_repeated ORDER BY line_no LIMIT 1) p ON true
  WHERE b.file_no = $1 AND b.paid_minor <> greatest(b.owed_minor, 0)) f
ON CONFLICT DO NOTHING`;

/**
 * Compares the payouts of a file to our bank with what its lines say that the provider owes: in each currency
 * charges and won disputes less refunds, disputes and fees, and less what remained to be deducted before.
 */
export async function matchPayouts(
  tx: SqlSession,
  file: SettledFile,
  now: Date,
  payoutDueDays: number,
): Promise<void> {
  const { fileNo, provider, periodFrom, periodTo } = file;
  await tx.query(storePayouts, [fileNo, provider]);
  await tx.query(storeBalances, [fileNo, provider, periodFrom, periodTo]);
  await tx.query(findPayouts, [fileNo, JSON.stringify(findingClasses), now]);
  await findReturned(tx, file, now);
  await matchPayoutParts(tx, file, now, payoutDueDays);
}

/** The accounts of a leg, in its currency. */
type Ends = Readonly<Record<'debit' | 'credit', Parameters<typeof accountOf>[0]>>;

/**
 * Books the payouts of a file whose sum is right, and the fees that the provider withheld from any payout:
 * both leave what the provider owes. Payouts that came back from our bank are owed again. Called again, it
 * books nothing.
 */
export async function bookPayouts(tx: SqlTransaction, fileNo: number, at: Date): Promise<void> {
  const { rows } = await tx.query<{
    payout_id: string | null;
    currency: string;
    amount_minor: bigint;
  }>(
    `SELECT p.payout_id, p.currency, p.amount_minor FROM settlement_payout p
     JOIN settlement_balance b ON b.file_no = p.file_no AND b.currency = p.currency AND b.paid_minor = b.owed_minor
     WHERE p.file_no = $1 AND NOT p.is_repeated
     UNION ALL
     SELECT NULL, currency, fees_minor FROM settlement_balance
     WHERE file_no = $1 AND paid_minor > 0 AND fees_minor > 0`,
    [fileNo],
  );
  const returned = await returnedPayouts(tx, fileNo);
  if (rows.length + returned.length === 0) return;
  const booked = (code: string, minor: bigint, ends: Ends): Pick<Transfer, 'kind' | 'legs' | 'cause'> => {
    const currency = parseCurrency(code)!;
    const [debit, credit] = [accountOf(ends.debit, currency), accountOf(ends.credit, currency)];
    const legs = [{ debit, credit, amount: { minor, currency } }];
    return { kind: 'settlement', legs, cause: `settlement file ${fileNo}` };
  };
  const left = rows.map(({ payout_id: payoutId, currency, amount_minor: minor }): Transfer => {
    const debit = payoutId === null ? 'psp-fees-due' : 'cash-bank';
    return {
      subject: payoutId ?? `settlement-${fileNo}`,
      operation: payoutId === null ? `fees:${currency}` : `payout:settlement-${fileNo}`,
      ...booked(currency, minor, { debit, credit: 'cash-psp' }),
    };
  });
  const back = returned.map(
    ({ payoutId, currency, amountMinor }): Transfer => ({
      subject: payoutId,
      operation: `${payoutReturned}:settlement-${fileNo}`,
      ...booked(currency, amountMinor, { debit: 'cash-psp', credit: 'cash-bank' }),
    }),
  );
  const outcome = await post(tx, [...left, ...back], { at });
  if (outcome.kind === 'refused')
    throw new Error(`The ledger rejected a payout of the provider: ${outcome.refusals[0]!.detail}`);
}
