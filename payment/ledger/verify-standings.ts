import type { SqlSession } from '#platform/sql/sql.js';
import type { Report } from './ledger-fault.js';

/** Where an account stands after some of its postings, as they say. */
export interface AccountState {
  readonly id: string;
  readonly currency: string;
  sequence: bigint;
  balance: bigint;
  pendingDebit: bigint;
  pendingCredit: bigint;
}

interface StandingRow extends Readonly<Record<string, unknown>> {
  readonly account_no: bigint;
  readonly sequence: bigint;
  readonly balance: bigint;
  readonly pending_debit: bigint;
  readonly pending_credit: bigint;
  readonly batch_no: bigint;
}

/** Holds the standings that the ledger wrote down against those that come out of the postings. */
export class StandingCheck {
  readonly #tx: SqlSession;
  readonly #report: Report;
  #expected: Array<{ readonly accountNo: bigint; readonly batchNo: bigint } & AccountState> = [];
  #seen = 0n;

  constructor(tx: SqlSession, report: Report) {
    this.#tx = tx;
    this.#report = report;
  }

  /** After its last posting of the batch. */
  expect(accountNo: bigint, batchNo: bigint, account: AccountState): void {
    this.#expected.push({ accountNo, batchNo, ...account });
  }

  /** Compares what was expected since the last time. */
  async compare(): Promise<void> {
    const { rows } = await this.#tx.query<StandingRow>(
      // OFFSET keeps the planner from reading the whole table.
      `SELECT s.account_no, s.sequence, s.balance, s.pending_debit, s.pending_credit, s.batch_no
       FROM unnest($1::bigint[], $2::bigint[]) u(account_no, sequence)
       CROSS JOIN LATERAL (SELECT * FROM ledger_standing s WHERE s.account_no = u.account_no AND s.sequence = u.sequence OFFSET 0) s`,
      [this.#expected.map(({ accountNo }) => accountNo), this.#expected.map(({ sequence }) => sequence)],
    );
    const standings = new Map(rows.map((row) => [`${row.account_no} ${row.sequence}`, row]));
    for (const account of this.#expected) {
      const { accountNo, batchNo, id, sequence, balance, pendingDebit, pendingCredit } = account;
      const standing = standings.get(`${accountNo} ${sequence}`);
      if (
        standing?.batch_no !== batchNo ||
        standing.balance !== balance ||
        standing.pending_debit !== pendingDebit ||
        standing.pending_credit !== pendingCredit
      )
        this.#report(
          'head',
          id,
          `It says ${standing?.balance} after ${sequence} postings and batch ${batchNo}; they sum to ${balance}.`,
        );
    }
    this.#seen += BigInt(this.#expected.length);
    this.#expected = [];
  }

  /** When all batches were compared: accounts began with nothing, and nothing else was written down. */
  async finish(accounts: number): Promise<void> {
    const { rows } = await this.#tx.query<{ all: bigint; opened: bigint }>(
      `SELECT count(*) AS all, count(*) FILTER (WHERE sequence = 0 AND balance = 0 AND pending_debit = 0 AND pending_credit = 0) AS opened
       FROM ledger_standing`,
    );
    const { all, opened } = rows[0]!;
    const expected = this.#seen + BigInt(accounts);
    if (all !== expected || opened !== BigInt(accounts))
      this.#report(
        'head',
        'ledger',
        `${all} standings are written down, ${opened} of them with nothing; ${expected} were expected.`,
      );
  }
}
