import type { Sql, SqlSession, SqlTransaction } from '#platform/sql/sql.js';
import { describeAccount } from '../ledger/accounts.js';
import { post } from '../ledger/ledger.js';
import { ledgerLimits } from '../ledger/limits.js';
import type { Leg } from '../ledger/transfer.js';
import { type Entry, lockDecision, recordDecision } from './decision.js';
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

/**
 * A person of finance decides: books `entry`, with `converted` for a finding in two currencies, or dismisses
 * the finding when there is none. `who` comes from the caller's token, `why` has 1 to 1,000 characters.
 */
export async function decide(
  deps: FinanceDeps,
  {
    findingNo,
    entry,
    converted,
    who,
    why,
  }: {
    readonly findingNo: bigint;
    readonly entry?: Entry;
    readonly converted?: Entry;
    readonly who: string;
    readonly why: string;
  },
): Promise<Decided> {
  const entries = [entry, converted].filter((one) => one !== undefined);
  const reason = faultOf(entry, why) ?? faultOf(converted, why);
  if (reason !== undefined) return { kind: 'invalid', reason };
  return decided(deps, async (tx) => {
    const finding = await lockFinding(tx, findingNo);
    if (finding === undefined) return { kind: 'not_found' };
    if (finding.state !== 'open' || finding.class === 1) return { kind: 'not_open' };
    const outside = entries.length === 0 ? undefined : outsideOf(entryBoundsOf(finding), entries);
    if (outside !== undefined) return { kind: 'invalid', reason: outside };
    // A dismissal moves no money and still resolves a difference of this size.
    const needsSecond =
      entries.length === 0
        ? weightOf(finding) > deps.secondPersonAboveMinor
        : entries.some((one) => needsTwo(deps, one));
    const decisionNo = await recordDecision(tx, {
      findingNo,
      entry,
      converted,
      who,
      why,
      at: deps.now(),
      needsSecond,
    });
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
    const { entry, converted, findingNo } = decision;
    if (finding?.state !== 'settled' || decision.action !== 'adjust' || entry === undefined)
      return { kind: 'not_open' };
    const taken = await tx.query('SELECT FROM finance_decision WHERE reverses = $1', [decisionNo]);
    if (taken.rowCount > 0) return { kind: 'not_open' };
    const counter = counterOf(entry);
    const needsSecond = decision.needsSecond || needsTwo(deps, counter);
    const reversal = {
      findingNo,
      entry: counter,
      converted: converted === undefined ? undefined : counterOf(converted),
      who,
      why,
      at: deps.now(),
      needsSecond,
      reverses: decisionNo,
    };
    const reversalNo = await recordDecision(tx, reversal);
    return needsSecond ? await hold(tx, deps, findingNo, reversalNo) : await apply(tx, deps, reversalNo);
  });
}

const counterOf = (entry: Entry): Entry => ({ ...entry, debit: entry.credit, credit: entry.debit });

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
          legs: decision.converted === undefined ? [decision.entry] : [decision.entry, decision.converted],
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
