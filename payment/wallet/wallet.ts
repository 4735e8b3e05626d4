import type { Sql, SqlSession } from '#platform/sql/sql.js';
import { type AccountId, sellerAccount } from '../ledger/accounts.js';
import { type Currency, parseCurrency } from '../money/currency.js';
import type { Money } from '../money/money.js';
import { walletLimits } from './limits.js';

export interface Wallet {
  readonly seller: string;
  /** What we owe the merchant; below zero when refunds took more than there was. */
  readonly balance: Money;
  /** The posting of the ledger's account that the balance has reached. */
  readonly sequence: bigint;
}

interface Row extends Readonly<Record<string, unknown>> {
  readonly seller_account: string;
  readonly currency: string;
  readonly balance: bigint;
  readonly sequence: bigint;
}

/**
 * Brings the wallets of these seller accounts (`seller:DE02:EUR`) up to date with the ledger, in the caller's
 * transaction. Without a list, all that lag, at most `advanceMax` per call. Each posting counts once, however
 * often this is called. Returns the wallets that changed.
 */
export async function advanceWallets(
  tx: SqlSession,
  accounts?: readonly AccountId[],
): Promise<readonly Wallet[]> {
  const { rows } = await tx.query<Row>('SELECT * FROM wallet_advance($1, $2)', [
    accounts ?? null,
    walletLimits.advanceMax,
  ]);
  return rows.map(walletOfRow);
}

/** Brings lagging wallets up to date with the ledger; resolves with whether there may be more. */
export async function advanceLagging(sql: Sql): Promise<boolean> {
  const moved = await sql.transaction((tx) => advanceWallets(tx));
  return moved.length === walletLimits.advanceMax;
}

/** The wallet at its last projection; undefined before the merchant's first posting. */
export async function walletOf(
  session: SqlSession,
  seller: string,
  currency: Currency,
): Promise<(Wallet & { readonly reserved: Money; readonly behind: bigint }) | undefined> {
  const { rows } = await session.query<Row & { reserved: bigint; behind: bigint }>(
    `SELECT w.seller_account, w.currency, w.balance, w.reserved, w.sequence, h.sequence - w.sequence AS behind
     FROM wallet w JOIN ledger_trial_balance h ON h.account_no = w.account_no WHERE h.id = $1`,
    [sellerAccount(seller, currency)],
  );
  const row = rows[0];
  if (row === undefined) return undefined;
  return { ...walletOfRow(row), reserved: { minor: row.reserved, currency }, behind: row.behind };
}

/**
 * Rebuilds all wallets from the first posting, in one pass over the ledger. Readers see the previous ones
 * until it is done. A million transfers take some seconds.
 */
export async function rebuildWallets(sql: Sql, timeoutMs: number): Promise<number> {
  return sql.transaction(
    async (tx) => {
      await tx.query('DELETE FROM wallet');
      const { rows } = await tx.query<{ wallets: bigint }>(
        'SELECT count(*) AS wallets FROM wallet_advance(NULL, $1)',
        [walletLimits.rebuildMax],
      );
      return Number(rows[0]!.wallets);
    },
    { statementTimeoutMs: timeoutMs },
  );
}

function walletOfRow({ seller_account, currency, balance, sequence }: Row): Wallet {
  return {
    seller: seller_account,
    balance: { minor: balance, currency: parseCurrency(currency)! },
    sequence,
  };
}
