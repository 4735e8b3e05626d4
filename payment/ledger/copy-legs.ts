import type { SqlTransaction } from '#platform/sql/sql.js';
import type { PlacedLeg } from './place-transfers.js';

/** A field's length and eight bytes. */
const wide = 12;
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
const signature = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');

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
  // Without a wait in between, so that rows and end leave together.
  await Promise.all([copy.write(rowsOf(batch, legs, columns.length)), copy.end()]);
}

/** In the order in which they were placed. */
function rowsOf({ no, at }: BatchStamp, legs: readonly PlacedLeg[], columns: number): Uint8Array {
  const rows = new Rows(legs);
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
  return rows.end();
}

/** Rows as COPY reads them in binary: the number of fields, and each field behind its length. */
class Rows {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  #size = signature.length;

  constructor(legs: readonly PlacedLeg[]) {
    let room = signature.length + 2;
    for (const { transfer } of legs) {
      const { operation, subject, resolves = '', cause = '' } = transfer;
      // Numbers, lengths and words of ours take less than 200; a character takes at most 3 bytes.
      room += 200 + 3 * (operation.length + subject.length + resolves.length + cause.length);
    }
    this.#bytes = Buffer.allocUnsafeSlow(room);
    this.#view = new DataView(this.#bytes.buffer);
    signature.copy(this.#bytes);
  }

  begin(columns: number): void {
    this.#view.setInt16(this.#size, columns);
    this.#size += 2;
  }

  bigint(value: bigint): void {
    this.#view.setInt32(this.#size, 8);
    this.#view.setBigInt64(this.#size + 4, value);
    this.#size += wide;
  }

  /** A safe integer that is not negative. */
  integer(value: number): void {
    this.#view.setInt32(this.#size, 8);
    this.#view.setUint32(this.#size + 4, value / 2 ** 32);
    this.#view.setUint32(this.#size + 8, value);
    this.#size += wide;
  }

  short(value: number): void {
    this.#view.setInt32(this.#size, 2);
    this.#view.setInt16(this.#size + 4, value);
    this.#size += 6;
  }

  text(value: string | undefined): void {
    const start = this.#size + 4;
    if (value === undefined) {
      this.#view.setInt32(this.#size, -1);
      this.#size = start;
      return;
    }
    let length = value.length;
    for (let at = 0; at < value.length; at += 1) {
      const code = value.charCodeAt(at);
      // By hand, since a call into the runtime costs more than the few letters of a name.
      if (code < 0x80) this.#bytes[start + at] = code;
      else {
        length = this.#bytes.write(value, start);
        break;
      }
    }
    this.#view.setInt32(this.#size, length);
    this.#size = start + length;
  }

  end(): Uint8Array {
    this.begin(-1);
    return this.#bytes.subarray(0, this.#size);
  }
}
