import { createHash, type Hash } from 'node:crypto';
import { textHoldsCardData } from '#platform/card-data/find-card-data.js';
import { CardNumbers, isAmountOfCard } from './card-numbers.js';
import { reconciliationLimits } from './limits.js';
import { idColumns, parseHeader, parseLine, type SettlementHeader } from './settlement-line.js';

export type RefusalReason =
  | 'header'
  | 'provider'
  | 'currency'
  | 'line'
  | 'encoding'
  | 'truncated'
  | 'count'
  | 'sum'
  | 'checksum'
  | 'trailing'
  | 'too_long'
  | 'other_content'
  | 'card_number'
  | 'late';

/**
 * The file is damaged, not for us, late, or holds a card number; nothing of it may be used. The detail
 * repeats no field that was not searched for card numbers.
 */
export class SettlementRefused extends Error {
  override readonly name = 'SettlementRefused';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, detail: string) {
    super(`The settlement file is rejected (${reason}): ${detail}`);
    this.reason = reason;
  }
}

export interface SettlementSink {
  /** Once, before any line. */
  onHeader(header: SettlementHeader): Promise<void>;
  /**
   * Lines in their order as `SettlementLine` has them, the first of them numbered `first`, from 1. Nothing of
   * them counts before `readSettlementFile` resolves.
   */
  onLines(rows: readonly string[], first: number): Promise<void>;
  /** The currencies of the account that the header names; undefined: any. */
  currenciesOf?(header: SettlementHeader): ReadonlySet<string> | undefined;
}

export interface SettlementRead {
  readonly header: SettlementHeader;
  readonly lines: number;
  /** Of everything before the trailer, hexadecimal. */
  readonly sha256: string;
}

/**
 * Reads a settlement file (docs/formats/settlement-file.md) in one pass and in the memory of a few thousand
 * lines. Rejects with `SettlementRefused` for any damage, wherever it is; then discard what the sink has
 * received.
 */
export async function readSettlementFile(
  bytes: AsyncIterable<Uint8Array>,
  sink: SettlementSink,
  linesMax: number = reconciliationLimits.linesMax,
): Promise<SettlementRead> {
  const reader = new Reader(sink, linesMax);
  for await (const chunk of bytes) await reader.push(chunk);
  return reader.end();
}

const lineFeed = 10;

class Reader {
  readonly #sink: SettlementSink;
  readonly #linesMax: number;
  readonly #hash: Hash = createHash('sha256');
  readonly #cardNumbers = new CardNumbers();
  /** The beginning of an incomplete line. */
  #rest: Buffer = Buffer.alloc(0);
  #header: SettlementHeader | undefined;
  #currencies: ReadonlySet<string> | undefined;
  #trailer: string | undefined;
  #rows: string[] = [];
  #lines = 0;
  #stored = 0;
  // A sum of 5,000,000 figures of 15 digits is beyond 2^53; millions of them added as numbers first are not.
  #amounts = 0n;
  #fees = 0n;
  #amountsPart = 0;
  #feesPart = 0;

  constructor(sink: SettlementSink, linesMax: number) {
    this.#sink = sink;
    this.#linesMax = linesMax;
  }

  async push(chunk: Uint8Array): Promise<void> {
    if (this.#trailer !== undefined && chunk.length > 0)
      throw new SettlementRefused('trailing', 'There are bytes after the trailer.');
    const all =
      this.#rest.length === 0
        ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
        : Buffer.concat([this.#rest, chunk]);
    const end = all.lastIndexOf(lineFeed) + 1;
    // A copy, because the reader of the file may use the chunk's memory again.
    this.#rest = Buffer.from(all.subarray(end));
    if (this.#rest.length > reconciliationLimits.lineBytesMax)
      throw new SettlementRefused(
        'too_long',
        `Line ${this.#lines + 1} has more than ${reconciliationLimits.lineBytesMax} bytes.`,
      );
    if (end > 0) await this.#block(all.subarray(0, end));
  }

  async end(): Promise<SettlementRead> {
    if (this.#header === undefined)
      throw new SettlementRefused(
        this.#rest.length === 0 ? 'truncated' : 'header',
        'The file has no header.',
      );
    if (this.#trailer === undefined || this.#rest.length > 0)
      throw new SettlementRefused(
        'truncated',
        `The file ends after ${this.#lines} lines without a complete trailer.`,
      );
    await this.#store();
    const sha256 = this.#hash.digest('hex');
    this.#checkTrailer(this.#trailer, sha256);
    return { header: this.#header, lines: this.#lines, sha256 };
  }

  /** Whole lines. */
  async #block(block: Buffer): Promise<void> {
    const text = block.toString('latin1');
    // Beyond printable ASCII; a CR is caught by the fields.
    if (/[^\n -~]/.test(text))
      throw new SettlementRefused('encoding', `A byte near line ${this.#lines + 1} is not printable ASCII.`);
    const lines = text.split('\n');
    lines.pop();
    let hashed = block;
    for (const [index, line] of lines.entries()) {
      if (this.#trailer !== undefined)
        throw new SettlementRefused('trailing', 'There are lines after the trailer.');
      if (line.length > reconciliationLimits.lineBytesMax)
        throw new SettlementRefused(
          'too_long',
          `Line ${this.#lines + 1} has more than ${reconciliationLimits.lineBytesMax} bytes.`,
        );
      if (this.#header === undefined) await this.#takeHeader(line);
      else if (line.startsWith('end,')) {
        this.#trailer = line;
        // One byte a character: what comes before the trailer ends where the lines from it on begin.
        const from = lines.slice(index).reduce((length, one) => length + one.length + 1, 0);
        hashed = block.subarray(0, block.length - from);
      } else {
        this.#takeLine(line);
        if (this.#rows.length >= reconciliationLimits.linesAtOnce) await this.#store();
      }
    }
    this.#hash.update(hashed);
  }

  async #takeHeader(line: string): Promise<void> {
    this.#header = parseHeader(line);
    if (this.#header === undefined)
      throw new SettlementRefused('header', 'The first line is not a version 1 header.');
    const { fileId, provider } = this.#header;
    for (const [column, value] of Object.entries({ file_id: fileId, provider }))
      if (textHoldsCardData(value)) throw holdsCard(`The ${column} of the header`);
    this.#currencies = this.#sink.currenciesOf?.(this.#header);
    await this.#sink.onHeader(this.#header);
  }

  #takeLine(line: string): void {
    const parsed = parseLine(line);
    this.#lines += 1;
    if ('wrong' in parsed)
      throw new SettlementRefused('line', `The ${parsed.wrong} of line ${this.#lines} is wrong.`);
    if (this.#lines > this.#linesMax)
      throw new SettlementRefused('too_long', `The file has more than ${this.#linesMax} lines.`);
    if (this.#currencies?.has(parsed.currency) === false)
      throw new SettlementRefused(
        'currency',
        `Line ${this.#lines} is in ${parsed.currency}. The account at ${this.#header?.provider} has none.`,
      );
    for (const column of idColumns)
      if (this.#cardNumbers.isIn(this.#lines, column, parsed.ids[column]))
        throw holdsCard(`The ${column} of line ${this.#lines}`);
    for (const column of ['amount', 'fee'] as const)
      if (isAmountOfCard(parsed[column])) throw holdsCard(`The ${column} of line ${this.#lines}`);
    this.#amountsPart += parsed.amount;
    this.#feesPart += parsed.fee;
    if (this.#amountsPart > 1e15 || this.#feesPart > 1e15) this.#carrySums();
    this.#rows.push(parsed.row);
  }

  #carrySums(): void {
    this.#amounts += BigInt(this.#amountsPart);
    this.#fees += BigInt(this.#feesPart);
    this.#amountsPart = 0;
    this.#feesPart = 0;
  }

  async #store(): Promise<void> {
    const rows = this.#rows;
    if (rows.length === 0) return;
    // Before these lines are stored: what a transaction takes back stays in the log of the database.
    const found = this.#cardNumbers.first();
    if (found !== undefined) throw holdsCard(`The ${found.column} of line ${found.line}`);
    this.#rows = [];
    await this.#sink.onLines(rows, this.#stored + 1);
    this.#stored += rows.length;
  }

  #checkTrailer(trailer: string, sha256: string): void {
    this.#carrySums();
    const [, count, amounts, fees, checksum, ...more] = trailer.split(',');
    if (more.length > 0 || checksum === undefined)
      throw new SettlementRefused('line', 'The trailer must have five fields.');
    if (count !== String(this.#lines))
      throw new SettlementRefused(
        'count',
        `The file has ${this.#lines} lines, and the trailer counts others.`,
      );
    if (amounts !== String(this.#amounts) || fees !== String(this.#fees))
      throw new SettlementRefused(
        'sum',
        `The lines sum to ${this.#amounts} and ${this.#fees}, and the trailer has other sums.`,
      );
    if (checksum !== sha256)
      throw new SettlementRefused('checksum', `The content has the SHA-256 ${sha256}.`);
  }
}

const holdsCard = (where: string): SettlementRefused =>
  new SettlementRefused('card_number', `${where} seems to be or to contain a card number.`);
