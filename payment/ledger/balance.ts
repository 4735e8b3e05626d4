import type { SqlSession } from '#platform/sql/sql.js';
import type { Money } from '../money/money.js';
import { type AccountId, describeAccount } from './accounts.js';

export interface Balance {
  /**
   * On the account's natural side: what an asset holds, what a liability owes. Below zero for an overdraft.
   */
  readonly posted: Money;
  /** `posted` less what is reserved by pending transfers. */
  readonly available: Money;
  /** Postings of the account so far. */
  readonly sequence: bigint;
}

/**
 * The current balance of an account; zero without postings. Throws for an id that the chart does not have.
 */
export async function balanceOf(session: SqlSession, account: AccountId): Promise<Balance> {
  const { currency } = described(account);
  const { rows } = await session.query<{ posted: bigint; available: bigint; sequence: bigint }>(
    `SELECT h.side * h.balance AS posted, h.sequence,
       h.side * h.balance - CASE h.side WHEN 1 THEN h.pending_credit ELSE h.pending_debit END AS available
     FROM ledger_trial_balance h WHERE h.id = $1`,
    [account],
  );
  const { posted, available, sequence } = rows[0] ?? { posted: 0n, available: 0n, sequence: 0n };
  return { posted: { minor: posted, currency }, available: { minor: available, currency }, sequence };
}

/**
 * The balance of an account at `at`, postings at that time included. Reads at most one block of the ledger's
 * transfers.
 */
export async function balanceAt(
  session: SqlSession,
  account: AccountId,
  at: Date,
): Promise<Omit<Balance, 'available'>> {
  const { currency } = described(account);
  const { rows } = await session.query<{ posted: bigint; sequence: bigint }>(
    `SELECT a.side * b.balance AS posted, b.sequence
     FROM ledger_account a, ledger_balance_at(a.account_no, $2) b WHERE a.id = $1`,
    [account, at],
  );
  const { posted, sequence } = rows[0] ?? { posted: 0n, sequence: 0n };
  return { posted: { minor: posted, currency }, sequence };
}

function described(account: AccountId) {
  const found = describeAccount(account);
  if (found === undefined) throw new Error(`The chart of accounts does not have ${account}.`);
  return found;
}
