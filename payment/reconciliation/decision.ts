import type { SqlSession } from '#platform/sql/sql.js';
import type { AccountId } from '../ledger/accounts.js';
import { parseCurrency } from '../money/currency.js';
import type { Money } from '../money/money.js';

export interface Decision {
  readonly decisionNo: bigint;
  readonly findingNo: bigint;
  readonly action: 'adjust' | 'dismiss' | 'reverse';
  readonly reverses: bigint | undefined;
  readonly entry: Entry | undefined;
  /** Of a finding in two currencies: posted together with `entry`, in the other one. */
  readonly converted: Entry | undefined;
  readonly who: string;
  readonly why: string;
  readonly at: Date;
  readonly needsSecond: boolean;
  readonly second: { readonly who: string; readonly at: Date } | undefined;
}

/** One movement that a person books. */
export interface Entry {
  readonly debit: AccountId;
  readonly credit: AccountId;
  readonly amount: Money;
}

/** All decisions about a finding, the first one first. */
export async function decisionsOf(session: SqlSession, findingNo: bigint): Promise<readonly Decision[]> {
  const { rows } = await session.query<DecisionRow>(
    `${selectDecision} WHERE d.finding_no = $1 ORDER BY d.decision_no`,
    [findingNo],
  );
  return rows.map(decisionOfRow);
}

export async function recordDecision(
  tx: SqlSession,
  decision: Pick<Decision, 'findingNo' | 'who' | 'why' | 'at' | 'needsSecond'> & {
    readonly entry: Entry | undefined;
    readonly converted?: Entry | undefined;
    readonly reverses?: bigint;
  },
): Promise<bigint> {
  const { findingNo, entry, converted, reverses, who, why, at, needsSecond } = decision;
  const action = reverses !== undefined ? 'reverse' : entry === undefined ? 'dismiss' : 'adjust';
  const { rows } = await tx.query<{ decision_no: bigint }>(
    `INSERT INTO finance_decision (finding_no, action, reverses, debit, credit, amount_minor, currency,
       who, why, at, needs_second, converted_debit, converted_credit, converted_minor, converted_currency)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) RETURNING decision_no`,
    [
      findingNo,
      action,
      reverses ?? null,
      entry?.debit ?? null,
      entry?.credit ?? null,
      entry?.amount.minor ?? null,
      entry?.amount.currency ?? null,
      who,
      why,
      at,
      needsSecond,
      converted?.debit ?? null,
      converted?.credit ?? null,
      converted?.amount.minor ?? null,
      converted?.amount.currency ?? null,
    ],
  );
  return rows[0]!.decision_no;
}

interface DecisionRow extends Readonly<Record<string, unknown>> {
  readonly decision_no: bigint;
  readonly finding_no: bigint;
  readonly action: Decision['action'];
  readonly reverses: bigint | null;
  readonly debit: string | null;
  readonly credit: string | null;
  readonly amount_minor: bigint | null;
  readonly currency: string | null;
  readonly converted_debit: string | null;
  readonly converted_credit: string | null;
  readonly converted_minor: bigint | null;
  readonly converted_currency: string | null;
  readonly who: string;
  readonly why: string;
  readonly at: Date;
  readonly needs_second: boolean;
  readonly second_who: string | null;
  readonly second_at: Date | null;
}

const selectDecision = `SELECT d.*, a.who AS second_who, a.at AS second_at
  FROM finance_decision d LEFT JOIN finance_approval a ON a.decision_no = d.decision_no`;

export async function lockDecision(tx: SqlSession, decisionNo: bigint): Promise<Decision | undefined> {
  await tx.query('SELECT FROM finance_decision WHERE decision_no = $1 FOR UPDATE', [decisionNo]);
  // A separate statement after the wait: a statement that had waited would still see the previous approvals.
  const { rows } = await tx.query<DecisionRow>(`${selectDecision} WHERE d.decision_no = $1`, [decisionNo]);
  return rows[0] === undefined ? undefined : decisionOfRow(rows[0]);
}

function decisionOfRow(row: DecisionRow): Decision {
  const { second_who: second, second_at: secondAt } = row;
  return {
    decisionNo: row.decision_no,
    findingNo: row.finding_no,
    action: row.action,
    reverses: row.reverses ?? undefined,
    entry: entryOf(row.debit, row.credit, row.amount_minor, row.currency),
    converted: entryOf(
      row.converted_debit,
      row.converted_credit,
      row.converted_minor,
      row.converted_currency,
    ),
    who: row.who,
    why: row.why,
    at: row.at,
    needsSecond: row.needs_second,
    second: second === null || secondAt === null ? undefined : { who: second, at: secondAt },
  };
}

const entryOf = (
  debit: string | null,
  credit: string | null,
  minor: bigint | null,
  currency: string | null,
): Entry | undefined =>
  debit === null || credit === null || minor === null
    ? undefined
    : { debit, credit, amount: { minor, currency: parseCurrency(currency)! } };
