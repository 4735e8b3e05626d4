import type { CopyIn, Sql, SqlTransaction } from '#platform/sql/sql.js';
import type { BatchStamp, KnownBatch } from './batch-stamp.js';
import { CopyRows } from './copy-rows.js';
import type { PlacedLeg } from './place-transfers.js';

const always = [
  'batch_no',
  'debit_account',
  'debit_sequence',
  'debit_balance',
  'credit_account',
  'credit_sequence',
  'credit_balance',
  'amount',
  'leg',
  'batch_sequence',
  'currency',
  'kind',
  'operation',
  'subject',
];
/** Columns whose default in the table suits most batches. */
const sometimes = ['released', 'phase', 'resolves', 'cause'];

/** This many rows are sent while the others are still being encoded, so that the server works in parallel. */
const firstLegs = 50;

/**
 * Writes placed legs as the batch of this number and time, by COPY, which has no arrays to unpack and writes
 * many rows of a page at once, and in binary, so that neither side makes text of numbers. If `savepoint` is
 * given, the savepoint is set first, in the same message to the server.
 */
export async function copyLegs(
  tx: SqlTransaction,
  batch: BatchStamp,
  legs: readonly PlacedLeg[],
  savepoint?: string,
): Promise<void> {
  const columns = ['posted_at', ...columnsOf(legs)];
  const before = savepoint === undefined ? '' : `SAVEPOINT ${savepoint}; `;
  await writeLegs(tx.copyIn(before + copyInto(columns)), batch, legs, columns.length);
}

/**
 * Writes them as the batch after `last`, at the server's time and in a transaction of its own. Rejects with
 * ML006 when another batch is the last one.
 */
export function copyAfter(sql: Sql, last: KnownBatch, legs: readonly PlacedLeg[]): Promise<void> {
  const columns = columnsOf(legs);
  const continues = `SELECT ledger_continues(${last.no}, ${last.at ?? 'NULL'}); `;
  const batch = { no: last.no + 1n, at: undefined };
  return sql.copyIn(continues + copyInto(columns), (copy) => writeLegs(copy, batch, legs, columns.length));
}

const copyInto = (columns: readonly string[]) =>
  `COPY ledger_transfer (${columns.join()}) FROM STDIN (FORMAT binary)`;

function columnsOf(legs: readonly PlacedLeg[]): readonly string[] {
  const isPlain = legs.every(
    ({ transfer: { phase = 'posted', cause }, released }) =>
      phase === 'posted' && cause === undefined && released === 0n,
  );
  return isPlain ? always : [...always, ...sometimes];
}

async function writeLegs(
  copy: CopyIn,
  batch: KnownBatch,
  legs: readonly PlacedLeg[],
  columns: number,
): Promise<void> {
  const rows = new CopyRows(roomFor(legs));
  addRows(rows, batch, legs.slice(0, firstLegs), 0, columns);
  const begun = copy.write(rows.take());
  addRows(rows, batch, legs.slice(firstLegs), firstLegs, columns);
  rows.end();
  // No wait in between, so that the last rows and the end are sent together.
  await Promise.all([begun, copy.write(rows.take()), copy.end()]);
  rows.release();
}

function roomFor(legs: readonly PlacedLeg[]): number {
  let bytes = 0;
  for (const { transfer } of legs) {
    const { operation, subject, resolves = '', cause = '' } = transfer;
    // Numbers, lengths and words of ours take less than 200; a character takes at most 3 bytes.
    bytes += 200 + 3 * (operation.length + subject.length + resolves.length + cause.length);
  }
  return bytes;
}

/** In the order in which they were placed; the first of them has this place in the batch. */
function addRows(
  rows: CopyRows,
  { no, at }: KnownBatch,
  legs: readonly PlacedLeg[],
  first: number,
  columns: number,
): void {
  const isWhole = columns > always.length + 1;
  let place = first;
  for (const placed of legs) {
    const { transfer, leg } = placed;
    const { amount, kind = transfer.kind } = transfer.legs[leg]!;
    rows.begin(columns);
    if (at !== undefined) rows.bigint(at);
    rows.bigint(no);
    rows.integer(placed.debitNo);
    rows.integer(placed.debitSequence);
    rows.bigint(placed.debitBalance);
    rows.integer(placed.creditNo);
    rows.integer(placed.creditSequence);
    rows.bigint(placed.creditBalance);
    rows.bigint(amount.minor);
    rows.short(leg);
    rows.short(place);
    place += 1;
    rows.text(amount.currency);
    rows.text(kind);
    rows.text(transfer.operation);
    rows.text(transfer.subject);
    if (!isWhole) continue;
    rows.bigint(placed.released);
    rows.text(transfer.phase ?? 'posted');
    rows.text(transfer.resolves);
    rows.text(transfer.cause);
  }
}
