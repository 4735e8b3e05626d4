import type { SqlSession } from '#platform/sql/sql.js';
import type { Report } from './ledger-fault.js';

/** The balance of an account after some of its postings. */
export interface AccountState {
  readonly id: string;
  readonly currency: string;
  readonly side: number;
  readonly overdraftRefused: boolean;
  sequence: bigint;
  balance: bigint;
  pendingDebit: bigint;
  pendingCredit: bigint;
  /** The last batch that moved it. */
  batchNo: bigint;
  /** The balance before that batch. */
  sequenceBefore: bigint;
  /** The first batch that moved it in the block of that batch. */
  stoodBatch: bigint;
}

interface StateRow extends Readonly<Record<string, unknown>> {
  readonly account_no: bigint;
  readonly sequence: bigint;
  readonly balance: bigint;
  readonly pending_debit: bigint;
  readonly pending_credit: bigint;
  readonly batch_no: bigint;
  readonly sequence_before: bigint;
  readonly history_batch: bigint;
  readonly side: number;
  readonly overdraft_refused: boolean;
  readonly currency: string;
}

const pageRows = 10_000;

/** Every account as it was opened, before its first posting, by number. */
export async function openedAccounts(tx: SqlSession): Promise<Map<bigint, AccountState>> {
  const { rows } = await tx.query<{
    account_no: bigint;
    id: string;
    currency: string;
    side: number;
    overdraft_refused: boolean;
  }>('SELECT account_no, id, currency, side, overdraft_refused FROM ledger_account ORDER BY account_no');
  return new Map(
    rows.map(({ account_no, id, currency, side, overdraft_refused }) => [
      account_no,
      {
        id,
        currency,
        side,
        overdraftRefused: overdraft_refused,
        sequence: 0n,
        balance: 0n,
        pendingDebit: 0n,
        pendingCredit: 0n,
        batchNo: 0n,
        sequenceBefore: 0n,
        stoodBatch: 0n,
      },
    ]),
  );
}

/** Compares the account balances in the ledger with the sums of their postings. */
export async function compareStates(
  tx: SqlSession,
  accounts: ReadonlyMap<bigint, AccountState>,
  report: Report,
): Promise<void> {
  let found = 0;
  for (let after: bigint | undefined; ; ) {
    const rows = await statesAfter(tx, after);
    for (const row of rows) {
      const account = accounts.get(row.account_no);
      if (account === undefined) {
        report('head', `account number ${row.account_no}`, 'It stands somewhere and was never opened.');
        continue;
      }
      found += 1;
      if (!isState(row, account))
        report(
          'head',
          account.id,
          `It says ${row.balance} after ${row.sequence} postings; ${account.sequence} sum to ` +
            `${account.balance}.`,
        );
    }
    if (rows.length < pageRows) break;
    after = rows.at(-1)!.account_no;
  }
  if (found !== accounts.size)
    report('head', 'ledger', `${accounts.size} accounts were opened, ${found} of them stand somewhere.`);
}

async function statesAfter(tx: SqlSession, after: bigint | undefined): Promise<readonly StateRow[]> {
  const { rows } = await tx.query<StateRow>(
    `SELECT account_no, sequence, balance, pending_debit, pending_credit, batch_no, sequence_before, history_batch, side, overdraft_refused,
       currency
     FROM ledger_account_balance WHERE $1::bigint IS NULL OR account_no > $1 ORDER BY account_no LIMIT $2`,
    [after ?? null, pageRows],
  );
  return rows;
}

function isState(row: StateRow, account: AccountState): boolean {
  return (
    row.sequence === account.sequence &&
    row.balance === account.balance &&
    row.pending_debit === account.pendingDebit &&
    row.pending_credit === account.pendingCredit &&
    row.batch_no === account.batchNo &&
    row.sequence_before === account.sequenceBefore &&
    row.history_batch === account.stoodBatch &&
    row.side === account.side &&
    row.overdraft_refused === account.overdraftRefused &&
    row.currency === account.currency
  );
}
