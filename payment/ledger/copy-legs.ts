import type { SqlTransaction } from '#platform/sql/sql.js';
import { CopyRows } from './copy-rows.js';
import type { PlacedLeg } from './place-transfers.js';

const always = [
  'batch_no',
  'posted_at',
  'debit_account',
  'debit_sequence',
  'debit_balance',
  'credit_account',
  'credit_sequence',
  'credit_balance',
  'amount',
  'leg',
  'currency',
  'kind',
  'operation',
  'subject',
];
/** What has a default in the table, which most batches are content with. */
const sometimes = ['released', 'phase', 'resolves', 'cause'];

/** So many leave while the others are still to be written down, so that the server has something to do meanwhile. */
const firstLegs = 50;

/** Number and time of a batch, the latter in microseconds since 2000 as PostgreSQL keeps it. */
export interface BatchStamp {
  readonly no: bigint;
  readonly at: bigint;
}

/**
 * Writes placed legs as the batch of this number and time, by COPY, which has no arrays to unpack and writes many rows of a page at once, and in
 * binary, so that neither side makes text of numbers. With a name of a savepoint, after that: both are one message to the server.
 */
export async function copyLegs(
  tx: SqlTransaction,
  batch: BatchStamp,
  legs: readonly PlacedLeg[],
  savepoint?: string,
): Promise<void> {
  const isPlain = legs.every(
    ({ transfer: { phase = 'posted', cause }, released }) =>
      phase === 'posted' && cause === undefined && released === 0n,
  );
  const columns = isPlain ? always : [...always, ...sometimes];
  const statement = `COPY ledger_transfer (${columns.join()}) FROM STDIN (FORMAT binary)`;
  const copy = tx.copyIn(savepoint === undefined ? statement : `SAVEPOINT ${savepoint}; ${statement}`);
  const rows = new CopyRows(roomFor(legs));
  addRows(rows, batch, legs.slice(0, firstLegs), columns.length);
  const begun = copy.write(rows.take());
  addRows(rows, batch, legs.slice(firstLegs), columns.length);
  rows.end();
  // Without a wait in between, so that the last rows leave together with the end.
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

/** In the order in which they were placed. */
function addRows(rows: CopyRows, { no, at }: BatchStamp, legs: readonly PlacedLeg[], columns: number): void {
  for (const placed of legs) {
    const { transfer, leg } = placed;
    const { amount, kind = transfer.kind } = transfer.legs[leg]!;
    rows.begin(columns);
    rows.bigint(no);
    rows.bigint(at);
    rows.integer(placed.debitNo);
    rows.integer(placed.debitSequence);
    rows.bigint(placed.debitBalance);
    rows.integer(placed.creditNo);
    rows.integer(placed.creditSequence);
    rows.bigint(placed.creditBalance);
    rows.bigint(amount.minor);
    rows.short(leg);
    rows.text(amount.currency);
    rows.text(kind);
    rows.text(transfer.operation);
    rows.text(transfer.subject);
    if (columns === always.length) continue;
    rows.bigint(placed.released);
    rows.text(transfer.phase ?? 'posted');
    rows.text(transfer.resolves);
    rows.text(transfer.cause);
  }
}
