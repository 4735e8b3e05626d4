import type { SqlSession } from '#platform/sql/sql.js';
import { textArray } from './array-literal.js';
import type { RecordedLeg } from './place-transfers.js';
import type { Transfer, TransferKind, TransferPhase } from './transfer.js';

/** All recorded legs of the subjects, pending ones included. */
export async function recordedLegsOf(
  tx: SqlSession,
  transfers: readonly Transfer[],
): Promise<readonly RecordedLeg[]> {
  const subjects = new Set(transfers.map(({ subject }) => subject));
  const { rows } = await tx.query<{
    subject: string;
    operation: string;
    leg: number;
    kind: TransferKind;
    phase: TransferPhase;
    resolves: string | null;
    debit_account: bigint;
    credit_account: bigint;
    amount: bigint;
  }>(
    // OFFSET keeps the planner from reading the whole table for a few hundred subjects of it.
    `SELECT t.subject, t.operation, t.leg, t.kind, t.phase, t.resolves, t.debit_account, t.credit_account, t.amount
     FROM unnest($1::text[]) u(subject) CROSS JOIN LATERAL (SELECT * FROM ledger_transfer t WHERE t.subject = u.subject OFFSET 0) t`,
    [textArray([...subjects])],
  );
  return rows.map(({ resolves, debit_account, credit_account, ...row }) => ({
    ...row,
    resolves: resolves ?? undefined,
    debitNo: Number(debit_account),
    creditNo: Number(credit_account),
  }));
}
