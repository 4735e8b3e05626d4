import type { Sql, SqlSession, SqlTransaction } from '#platform/sql/sql.js';
import type { AccountId } from '../ledger/accounts.js';
import { describeAccount } from '../ledger/accounts.js';
import { post } from '../ledger/ledger.js';
import { ledgerLimits } from '../ledger/limits.js';
import type { Leg } from '../ledger/transfer.js';
import { parseCurrency } from '../money/currency.js';
import type { Money } from '../money/money.js';
import { type EntryBounds, entryBoundsOf, movesSellersMoney, outsideOf } from './entry-bounds.js';
import { adjustmentOf, type Finding, findingColumns, findingOfRow, lockFinding } from './finding.js';
import { reconciliationLimits } from './limits.js';

export interface FinanceDeps {
  readonly sql: Sql;
  readonly now: () => Date;
  /** Above this many minor units a second person must agree; for an entry on a seller's account always. */
  readonly secondPersonAboveMinor: bigint;
}

export interface QueuedFinding extends Finding {
  /** What the standard procedure would book; empty when a person must find out first. */
  readonly proposal: readonly Leg[];
  readonly bounds: EntryBounds;
}

export interface Decision {
  readonly decisionNo: bigint;
  readonly findingNo: bigint;
  readonly action: 'adjust' | 'dismiss' | 'reverse';
  readonly reverses: bigint | undefined;
  readonly entry: Entry | undefined;
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

export type Decided =
  /**
   * `applied`: booked, or closed without an entry. `awaiting_second`: nothing is booked before another person
   * agrees.
   */
  | { readonly kind: 'applied' | 'awaiting_second'; readonly decisionNo: bigint }
  | { readonly kind: 'not_found' }
  /** Decided already, or the finding needs no decision. */
  | { readonly kind: 'not_open' }
  | { readonly kind: 'same_person' }
  | { readonly kind: 'invalid'; readonly reason: string };

/** Findings that wait for a person, in the order of their numbers, those after `after`. */
export async function listFindings(
  session: SqlSession,
  { after = 0n, limit }: { readonly after?: bigint; readonly limit: number },
): Promise<readonly QueuedFinding[]> {
  const { rows } = await session.query(
    `SELECT ${findingColumns} FROM reconciliation_finding f LEFT JOIN settlement_file s USING (file_no)
     WHERE f.state IN ('open', 'awaiting_second') AND f.class > 1 AND f.finding_no > $1 ORDER BY f.finding_no LIMIT $2`,
    [after, Math.min(limit, reconciliationLimits.pageMax)],
  );
  return rows.map(findingOfRow).map((finding) => ({
    ...finding,
    proposal: adjustmentOf(finding),
    bounds: entryBoundsOf(finding),
  }));
}

/** All decisions about a finding, the first one first. */
export async function decisionsOf(session: SqlSession, findingNo: bigint): Promise<readonly Decision[]> {
  const { rows } = await session.query<DecisionRow>(
    `${selectDecision} WHERE d.finding_no = $1 ORDER BY d.decision_no`,
    [findingNo],
  );
  return rows.map(decisionOfRow);
}

/**
 * A person of finance decides: books `entry`, or dismisses the finding when there is none. `who` comes from
 * the caller's token, `why` has 1 to 1,000 characters.
 */
export async function decide(
  deps: FinanceDeps,
  {
    findingNo,
    entry,
    who,
    why,
  }: { readonly findingNo: bigint; readonly entry?: Entry; readonly who: string; readonly why: string },
): Promise<Decided> {
  const reason = faultOf(entry, why);
  if (reason !== undefined) return { kind: 'invalid', reason };
  return decided(deps, async (tx) => {
    const finding = await lockFinding(tx, findingNo);
    if (finding === undefined) return { kind: 'not_found' };
    if (finding.state !== 'open' || finding.class === 1) return { kind: 'not_open' };
    const outside = entry === undefined ? undefined : outsideOf(entryBoundsOf(finding), entry);
    if (outside !== undefined) return { kind: 'invalid', reason: outside };
    // A dismissal moves no money and still resolves a difference of this size.
    const needsSecond =
      entry === undefined ? weightOf(finding) > deps.secondPersonAboveMinor : needsTwo(deps, entry);
    const decisionNo = await record(tx, { findingNo, entry, who, why, at: deps.now(), needsSecond });
    return needsSecond ? await hold(tx, deps, findingNo, decisionNo) : await apply(tx, deps, decisionNo);
  });
}

/** The second person agrees, and the decision is carried out. */
export async function approve(deps: FinanceDeps, decisionNo: bigint, who: string): Promise<Decided> {
  return decided(deps, async (tx) => {
    const decision = await lockDecision(tx, decisionNo);
    if (decision === undefined) return { kind: 'not_found' };
    if (!decision.needsSecond || decision.second !== undefined) return { kind: 'not_open' };
    if (decision.who === who) return { kind: 'same_person' };
    // It may have been resolved meanwhile.
    const finding = await lockFinding(tx, decision.findingNo);
    if (finding?.state !== 'awaiting_second') return { kind: 'not_open' };
    await tx.query('INSERT INTO finance_approval (decision_no, who, at) VALUES ($1, $2, $3)', [
      decisionNo,
      who,
      deps.now(),
    ]);
    return apply(tx, deps, decisionNo);
  });
}

/**
 * Reverses an applied decision by a counter-entry and reopens the finding. Needs a second person if its entry
 * did.
 */
export async function reverse(
  deps: FinanceDeps,
  { decisionNo, who, why }: { readonly decisionNo: bigint; readonly who: string; readonly why: string },
): Promise<Decided> {
  const reason = faultOf(undefined, why);
  if (reason !== undefined) return { kind: 'invalid', reason };
  return decided(deps, async (tx) => {
    const decision = await lockDecision(tx, decisionNo);
    if (decision === undefined) return { kind: 'not_found' };
    const finding = await lockFinding(tx, decision.findingNo);
    const { entry, findingNo } = decision;
    if (finding?.state !== 'settled' || decision.action !== 'adjust' || entry === undefined)
      return { kind: 'not_open' };
    const taken = await tx.query('SELECT FROM finance_decision WHERE reverses = $1', [decisionNo]);
    if (taken.rowCount > 0) return { kind: 'not_open' };
    const counter = { ...entry, debit: entry.credit, credit: entry.debit };
    const needsSecond = decision.needsSecond || needsTwo(deps, counter);
    const reversal = {
      findingNo,
      entry: counter,
      who,
      why,
      at: deps.now(),
      needsSecond,
      reverses: decisionNo,
    };
    const reversalNo = await record(tx, reversal);
    return needsSecond ? await hold(tx, deps, findingNo, reversalNo) : await apply(tx, deps, reversalNo);
  });
}

/** The ledger refuses the entry, so the decision is not recorded. */
class Refused extends Error {}

async function decided(
  { sql }: FinanceDeps,
  work: (tx: SqlTransaction) => Promise<Decided>,
): Promise<Decided> {
  try {
    return await sql.transaction(work);
  } catch (error) {
    if (error instanceof Refused) return { kind: 'invalid', reason: error.message };
    throw error;
  }
}

/** Books the decision, in the transaction that made it final. No other code books decisions. */
async function apply(tx: SqlTransaction, { now }: FinanceDeps, decisionNo: bigint): Promise<Decided> {
  const decision = (await lockDecision(tx, decisionNo))!;
  if (decision.needsSecond && decision.second === undefined)
    throw new Error(`Decision ${decisionNo} needs a second person and has none.`);
  if (decision.entry !== undefined) {
    const outcome = await post(
      tx,
      [
        {
          subject: `finding-${decision.findingNo}`,
          operation: `decision:${decisionNo}`,
          kind: 'adjustment',
          legs: [decision.entry],
          cause: `decision ${decisionNo} by ${decision.who}`.slice(0, 160),
        },
      ],
      { at: now() },
    );
    if (outcome.kind === 'refused') throw new Refused(outcome.refusals[0]!.detail);
  }
  const state = decision.action === 'reverse' ? 'open' : 'settled';
  await tx.query('UPDATE reconciliation_finding SET state = $2, changed_at = $3 WHERE finding_no = $1', [
    decision.findingNo,
    state,
    now(),
  ]);
  return { kind: 'applied', decisionNo };
}

async function hold(
  tx: SqlSession,
  { now }: FinanceDeps,
  findingNo: bigint,
  decisionNo: bigint,
): Promise<Decided> {
  await tx.query(
    `UPDATE reconciliation_finding SET state = 'awaiting_second', changed_at = $2 WHERE finding_no = $1`,
    [findingNo, now()],
  );
  return { kind: 'awaiting_second', decisionNo };
}

async function record(
  tx: SqlSession,
  decision: Pick<Decision, 'findingNo' | 'who' | 'why' | 'at' | 'needsSecond'> & {
    readonly entry: Entry | undefined;
    readonly reverses?: bigint;
  },
): Promise<bigint> {
  const { findingNo, entry, reverses, who, why, at, needsSecond } = decision;
  const action = reverses !== undefined ? 'reverse' : entry === undefined ? 'dismiss' : 'adjust';
  const { rows } = await tx.query<{ decision_no: bigint }>(
    `INSERT INTO finance_decision (finding_no, action, reverses, debit, credit, amount_minor, currency, who, why, at, needs_second)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING decision_no`,
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
    ],
  );
  return rows[0]!.decision_no;
}

const needsTwo = ({ secondPersonAboveMinor }: FinanceDeps, entry: Entry): boolean =>
  entry.amount.minor > secondPersonAboveMinor || movesSellersMoney(entry);

function weightOf({ pspMinor = 0n, ourMinor = 0n }: Finding): bigint {
  return pspMinor > ourMinor ? pspMinor : ourMinor;
}

function faultOf(entry: Entry | undefined, why: string): string | undefined {
  if (why.trim() === '' || why.length > reconciliationLimits.reasonLengthMax)
    return `The reason must have 1 to ${reconciliationLimits.reasonLengthMax} characters.`;
  if (entry === undefined) return undefined;
  if (entry.amount.minor <= 0n) return 'The amount must be above zero.';
  if (entry.amount.minor > ledgerLimits.amountMinorMax)
    return `The amount must be at most ${ledgerLimits.amountMinorMax} minor units.`;
  if (entry.debit === entry.credit) return 'The entry must move money between two accounts.';
  for (const id of [entry.debit, entry.credit])
    if (describeAccount(id)?.currency !== entry.amount.currency)
      return `${id} is not a ${entry.amount.currency} account in the chart of accounts.`;
  return undefined;
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
  readonly who: string;
  readonly why: string;
  readonly at: Date;
  readonly needs_second: boolean;
  readonly second_who: string | null;
  readonly second_at: Date | null;
}

const selectDecision = `SELECT d.*, a.who AS second_who, a.at AS second_at
  FROM finance_decision d LEFT JOIN finance_approval a ON a.decision_no = d.decision_no`;

async function lockDecision(tx: SqlSession, decisionNo: bigint): Promise<Decision | undefined> {
  await tx.query('SELECT FROM finance_decision WHERE decision_no = $1 FOR UPDATE', [decisionNo]);
  // A separate statement after the wait: a statement that had waited would still see the previous approvals.
  const { rows } = await tx.query<DecisionRow>(`${selectDecision} WHERE d.decision_no = $1`, [decisionNo]);
  return rows[0] === undefined ? undefined : decisionOfRow(rows[0]);
}

function decisionOfRow(row: DecisionRow): Decision {
  const { debit, credit, amount_minor: minor, currency, second_who: second, second_at: secondAt } = row;
  return {
    decisionNo: row.decision_no,
    findingNo: row.finding_no,
    action: row.action,
    reverses: row.reverses ?? undefined,
    entry:
      debit === null || credit === null || minor === null
        ? undefined
        : { debit, credit, amount: { minor, currency: parseCurrency(currency)! } },
    who: row.who,
    why: row.why,
    at: row.at,
    needsSecond: row.needs_second,
    second: second === null || secondAt === null ? undefined : { who: second, at: secondAt },
  };
}
