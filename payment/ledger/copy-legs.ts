import type { SqlTransaction } from '#platform/sql/sql.js';
import type { PlacedLeg } from './place-transfers.js';

const columns = [
  'batch_no',
  'posted_at',
  'debit_account',
  'debit_sequence',
  'debit_balance',
  'credit_account',
  'credit_sequence',
  'credit_balance',
  'amount',
  'released',
  'leg',
  'currency',
  'kind',
  'phase',
  'operation',
  'resolves',
  'cause',
  'subject',
];
const statement = `COPY ledger_transfer (${columns.join()}) FROM STDIN`;

/**
 * Writes placed legs as the batch of this number and time, by COPY, which has no arrays to unpack and writes many rows of a page at once.
 * With a name of a savepoint, after that: both are one message to the server.
 */
export async function copyLegs(
  tx: SqlTransaction,
  batch: { readonly no: bigint; readonly at: string },
  legs: readonly PlacedLeg[],
  savepoint?: string,
): Promise<void> {
  const copy = tx.copyIn(savepoint === undefined ? statement : `SAVEPOINT ${savepoint}; ${statement}`);
  // Without a wait in between, so that rows and end leave together.
  await Promise.all([copy.write(rowsOf(batch, legs)), copy.end()]);
}

/** In the order in which they were placed. */
function rowsOf(
  { no, at }: { readonly no: bigint; readonly at: string },
  legs: readonly PlacedLeg[],
): string {
  const start = `${no}\t${at}\t`;
  let rows = '';
  for (const placed of legs) {
    const { transfer, leg, released } = placed;
    const { amount, kind = transfer.kind } = transfer.legs[leg]!;
    const { subject, operation, phase = 'posted', resolves, cause } = transfer;
    const places = `${placed.debitNo}\t${placed.debitSequence}\t${placed.debitBalance}\t${placed.creditNo}\t${placed.creditSequence}\t${placed.creditBalance}\t${amount.minor}`;
    rows += `${start}${places}\t${released}\t${leg}\t${amount.currency}\t${kind}\t${phase}\t${escaped(operation)}\t${orNull(resolves)}\t${orNull(cause)}\t${escaped(subject)}\n`;
  }
  return rows;
}

const orNull = (text: string | undefined): string => (text === undefined ? '\\N' : escaped(text));

/** Names hold no control character; a backslash is what COPY itself escapes with. */
const escaped = (text: string): string => (text.includes('\\') ? text.replaceAll('\\', '\\\\') : text);
