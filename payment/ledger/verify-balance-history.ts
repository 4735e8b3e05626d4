import type { SqlSession } from '#platform/sql/sql.js';
import type { Report } from './ledger-fault.js';
import type { AccountState } from './verify-states.js';

interface StandingRow extends Readonly<Record<string, unknown>> {
  readonly account_no: bigint;
  readonly batch_no: bigint;
  readonly sequence: bigint;
  readonly balance: bigint;
  readonly pending_debit: bigint;
  readonly pending_credit: bigint;
}

type Standing = Pick<AccountState, 'id' | 'sequence' | 'balance' | 'pendingDebit' | 'pendingCredit'>;

/**
 * Compares the balance history, which has a row for the first posting of an account in each block, with the
 * balances that follow from the postings.
 */
export class BalanceHistoryCheck {
  readonly #tx: SqlSession;
  readonly #report: Report;
  #expected: Array<{ readonly accountNo: bigint; readonly batchNo: bigint } & Standing> = [];
  #seen = 0n;

  constructor(tx: SqlSession, report: Report) {
    this.#tx = tx;
    this.#report = report;
  }

  /** Before its first posting of the batch. */
  expect(accountNo: bigint, batchNo: bigint, account: Standing): void {
    const { id, sequence, balance, pendingDebit, pendingCredit } = account;
    this.#expected.push({ accountNo, batchNo, id, sequence, balance, pendingDebit, pendingCredit });
  }

  /** Compares the rows that are expected since the last call. */
  async compare(): Promise<void> {
    const { rows } = await this.#tx.query<StandingRow>(
      // OFFSET keeps the planner from reading the whole table.
      `SELECT s.* FROM unnest($1::bigint[], $2::bigint[]) u(account_no, batch_no)
       CROSS JOIN LATERAL (SELECT * FROM ledger_balance_history s WHERE s.account_no = u.account_no AND s.batch_no = u.batch_no OFFSET 0) s`,
      [this.#expected.map(({ accountNo }) => accountNo), this.#expected.map(({ batchNo }) => batchNo)],
    );
    const standings = new Map(rows.map((row) => [`${row.account_no} ${row.batch_no}`, row]));
    for (const account of this.#expected) {
      const { accountNo, batchNo, id, sequence, balance, pendingDebit, pendingCredit } = account;
      const standing = standings.get(`${accountNo} ${batchNo}`);
      if (
        standing?.sequence !== sequence ||
        standing.balance !== balance ||
        standing.pending_debit !== pendingDebit ||
        standing.pending_credit !== pendingCredit
      )
        this.#report(
          'head',
          id,
          standing === undefined
            ? `Nothing says where it stood before batch ${batchNo}, the first of its block to move it.`
            : `It says ${standing.balance} after ${standing.sequence} postings before batch ` +
                `${batchNo}; ${sequence} sum to ${balance}.`,
        );
    }
    this.#seen += BigInt(this.#expected.length);
    this.#expected = [];
  }

  /** After all batches: the history must have no other rows. */
  async finish(): Promise<void> {
    const { rows } = await this.#tx.query<{ all: bigint }>(
      'SELECT count(*) AS all FROM ledger_balance_history',
    );
    if (rows[0]!.all !== this.#seen)
      this.#report(
        'head',
        'ledger',
        `${rows[0]!.all} standings are written down, ${this.#seen} were expected.`,
      );
  }
}
