import type { SqlSession } from '#platform/sql/sql.js';
import { parseCurrency } from '../money/currency.js';
import type { Money } from '../money/money.js';

/** What a seller account holds in one currency. */
export interface MerchantBalance {
  readonly sellerAccount: string;
  /** Can be paid out now: the ledger's balance less `reserved`. Negative when refunds took more. */
  readonly available: Money;
  /** Captured by the provider, not in the ledger yet; less our fees. */
  readonly pending: Money;
  /** Payouts that wait for approval or are on their way. */
  readonly reserved: Money;
  /** Taken back by buyers' banks while a dispute is open; a lost dispute reduces `available`. */
  readonly disputed: Money;
}

/** In one snapshot, by account and currency; accounts without payments have no balance. */
export async function balancesOf(
  session: SqlSession,
  accounts: readonly string[],
): Promise<readonly MerchantBalance[]> {
  const { rows } = await session.query<{
    readonly seller: string;
    readonly currency: string;
    readonly posted: bigint;
    readonly reserved: bigint;
    readonly pending: bigint;
    readonly disputed: bigint;
  }>(
    `WITH part AS (
       SELECT w.seller_account AS seller, w.currency, -s.balance AS posted, s.pending_debit AS reserved,
         0::bigint AS pending, 0::bigint AS disputed
       FROM wallet w JOIN ledger_account_balance s USING (account_no) WHERE w.seller_account = ANY ($1::text[])
       UNION ALL
       SELECT seller_account, currency, 0, 0, captured_minor
         - application_fee(o.payment_order_status, o.captured_minor, o.fee_basis_points, o.fee_fixed_minor), 0 FROM payment_orders o
       WHERE seller_account = ANY ($1::text[]) AND captured_minor > 0 AND NOT ledger_updated
       UNION ALL
       SELECT o.seller_account, d.currency, 0, 0, 0, d.amount_minor
       FROM payment_disputes d JOIN payment_orders o USING (payment_order_id)
       WHERE d.dispute_status = 'OPENED' AND o.seller_account = ANY ($1::text[])
     )
     SELECT seller, currency, sum(posted)::bigint AS posted, sum(reserved)::bigint AS reserved,
       sum(pending)::bigint AS pending, sum(disputed)::bigint AS disputed
     FROM part GROUP BY seller, currency ORDER BY seller, currency`,
    [accounts],
  );
  return rows.map((row) => {
    const currency = parseCurrency(row.currency)!;
    const money = (minor: bigint): Money => ({ minor, currency });
    return {
      sellerAccount: row.seller,
      available: money(row.posted - row.reserved),
      pending: money(row.pending),
      reserved: money(row.reserved),
      disputed: money(row.disputed),
    };
  });
}
