import type { SqlSession } from '#platform/sql/sql.js';
import type { AccountType } from '../ledger/accounts.js';
import { type Currency, parseCurrency } from '../money/currency.js';

/** An account of the ledger, or all sellers together, in one currency. */
export interface AccountBalance {
  /** Without its currency: `cash-psp`; `sellers` is the sum of all sellers. */
  readonly account: string;
  readonly currency: Currency;
  readonly type: AccountType;
  /** On the natural side of the account, below zero for an overdraft. */
  readonly balanceMinor: bigint;
  readonly reservedMinor: bigint;
  readonly accounts: number;
}

/**
 * Every account with its balance, read in one statement, so that debits and credits of one currency are
 * equal. Reads all accounts: for people, not for a loop.
 */
export async function trialBalance(session: SqlSession): Promise<readonly AccountBalance[]> {
  const { rows } = await session.query<Row>(
    `SELECT CASE WHEN a.id LIKE 'seller:%' THEN 'sellers' ELSE split_part(a.id, ':', 1) END AS account,
       a.currency, a.type, sum(s.side * s.balance) AS balance, count(*)::int AS accounts,
       sum(CASE s.side WHEN 1 THEN s.pending_credit ELSE s.pending_debit END) AS reserved
     FROM ledger_account a JOIN ledger_account_balance s USING (account_no)
     GROUP BY 1, 2, 3 ORDER BY 2, array_position(ARRAY['asset', 'liability', 'revenue', 'expense'], a.type), 1`,
  );
  return rows.map((row) => ({
    account: row.account,
    currency: parseCurrency(row.currency)!,
    type: row.type,
    balanceMinor: BigInt(row.balance),
    reservedMinor: BigInt(row.reserved),
    accounts: row.accounts,
  }));
}

interface Row extends Readonly<Record<string, unknown>> {
  readonly account: string;
  readonly currency: string;
  readonly type: AccountType;
  /** `numeric`: a sum may exceed 64 bits. */
  readonly balance: string;
  readonly reserved: string;
  readonly accounts: number;
}
