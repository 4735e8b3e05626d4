import type { SqlSession, SqlValue } from '#platform/sql/sql.js';
import { textArray } from './array-literal.js';
import { checkTransfer, keyOf, withoutRepeats } from './check-transfers.js';
import { ledgerLimits } from './limits.js';
import { openAccounts } from './open-accounts.js';
import type { PostOutcome, Refusal, Transfer } from './transfer.js';

interface Row extends Readonly<Record<string, unknown>> {
  readonly item: bigint;
  readonly outcome: 'unknown' | 'replayed' | 'conflict' | 'no_pending' | 'overdrawn';
  readonly detail: string | null;
}

/** A leg as the database sees it. */
interface Item {
  readonly transfer: Transfer;
  readonly leg: number;
}

/**
 * Posts all transfers in the caller's SQL transaction, in their order, as one batch, or none of them. A transfer that stands already is not
 * posted again, so a call may be repeated as often as one likes; the same transfer twice in one call counts once. Accounts that the
 * chart knows are opened when they are first used. Holds the touched accounts until the commit: keep what follows short.
 *
 * Throws for what only a fault of the program can send: more than `postingsMax` postings, an account that is not in the chart, two
 * currencies in one leg. Rejects as `query` does when the database is away; then nobody knows more than the caller's transaction does.
 * `at` is when it counts as posted, the database's clock when absent; an account's postings never go back in time.
 */
export async function post(tx: SqlSession, transfers: readonly Transfer[], at?: Date): Promise<PostOutcome> {
  const { distinct, conflicts } = withoutRepeats(transfers);
  if (conflicts.length > 0) return { kind: 'refused', refusals: conflicts };
  const items = [...distinct.values()].flatMap((transfer) => {
    checkTransfer(transfer);
    return transfer.legs.map((_, leg): Item => ({ transfer, leg }));
  });
  if (items.length * 2 > ledgerLimits.postingsMax)
    throw new RangeError(
      `One call posts at most ${ledgerLimits.postingsMax} postings, not ${items.length * 2}.`,
    );
  if (items.length === 0) return { kind: 'posted', transfers: [] };

  const values = columnsOf(items, at);
  let rows = await run(tx, values);
  const unknown = rows.filter(({ outcome }) => outcome === 'unknown').map(({ detail }) => detail!);
  if (unknown.length > 0) {
    await openAccounts(tx, unknown);
    rows = await run(tx, values);
  }
  const refusals = rows.filter(({ outcome }) => outcome !== 'replayed').map((row) => refusalOf(row, items));
  if (refusals.length > 0) return { kind: 'refused', refusals: firstOfEach(refusals) };
  const replayed = new Set(rows.map(({ item }) => keyOf(items[Number(item) - 1]!.transfer)));
  const seen = new Set<string>();
  return {
    kind: 'posted',
    transfers: transfers.map((transfer) => {
      const key = keyOf(transfer);
      const again = replayed.has(key) || seen.has(key);
      seen.add(key);
      return again ? 'replayed' : 'posted';
    }),
  };
}

async function run(tx: SqlSession, values: readonly SqlValue[]): Promise<readonly Row[]> {
  const { rows } = await tx.query<Row>(
    `SELECT item, outcome, detail FROM ledger_post($1::text[], $2::text[], $3::smallint[], $4::smallint[], $5::text[], $6::text[],
       $7::text[], $8::text[], $9::text[], $10::bigint[], $11::text[], $12::boolean[], $13::text[], $14::timestamptz)`,
    values,
  );
  return rows;
}

function columnsOf(items: readonly Item[], at: Date | undefined): readonly SqlValue[] {
  const legOf = ({ transfer, leg }: Item) => transfer.legs[leg]!;
  const numbers = (of: (item: Item) => number | bigint): SqlValue => `{${items.map(of).join()}}`;
  const texts = (of: (item: Item) => string): SqlValue => textArray(items.map(of));
  const optional = (of: (item: Item) => string | undefined): SqlValue =>
    items.some((item) => of(item) !== undefined)
      ? items.map((item) => of(item) ?? null)
      : `{${items.map(() => 'NULL').join()}}`;
  return [
    texts(({ transfer }) => transfer.subject),
    texts(({ transfer }) => transfer.operation),
    numbers(({ leg }) => leg),
    numbers(({ transfer }) => transfer.legs.length),
    texts((item) => legOf(item).kind ?? item.transfer.kind),
    texts(({ transfer }) => transfer.phase ?? 'posted'),
    optional(({ transfer }) => transfer.resolves),
    texts((item) => legOf(item).debit),
    texts((item) => legOf(item).credit),
    numbers((item) => legOf(item).amount.minor),
    texts((item) => legOf(item).amount.currency),
    texts((item) => (legOf(item).needsFunds === true ? 't' : 'f')),
    optional(({ transfer }) => transfer.cause),
    at ?? null,
  ];
}

function refusalOf({ item, outcome, detail }: Row, items: readonly Item[]): Refusal {
  const { subject, operation, resolves } = items[Number(item) - 1]!.transfer;
  switch (outcome) {
    case 'conflict':
      return {
        subject,
        operation,
        reason: 'conflict',
        detail: `${operation} of ${subject} stands in the ledger with other legs: give the new operation a name of its own.`,
      };
    case 'no_pending':
      return {
        subject,
        operation,
        reason: 'no_pending',
        detail: `${resolves} of ${subject} is not pending, is resolved already, or has other accounts or a smaller amount.`,
      };
    case 'overdrawn':
      return { subject, operation, reason: 'overdrawn', detail: `The account ${detail} minor units.` };
    case 'unknown':
    case 'replayed':
      throw new Error(`The ledger answered ${outcome} for ${subject} ${operation} although it cannot be.`);
  }
}

function firstOfEach(refusals: readonly Refusal[]): readonly Refusal[] {
  return [
    ...new Map(refusals.toReversed().map((refusal) => [keyOf(refusal), refusal])).values(),
  ].toReversed();
}
