/** A transfer as stored in its row. */
export interface SealedTransfer {
  readonly batch_sequence: number;
  readonly leg: number;
  readonly debit_account: bigint;
  readonly debit_sequence: bigint;
  readonly credit_account: bigint;
  readonly credit_sequence: bigint;
  readonly amount: bigint;
  readonly released: bigint;
  readonly phase: string;
  readonly currency: string;
  readonly kind: string;
  readonly subject: string;
  readonly operation: string;
  readonly resolves: string | null;
  readonly cause: string | null;
  /** Microseconds since 1970. */
  readonly posted_us: bigint;
}

/** Fields without a length prefix: they cannot be confused with the fields around them. */
const isWord = (text: string): boolean => /^\w+$/.test(text);

/**
 * What a batch of these transfers is sealed over, as `seal.ts` has the database write it; undefined if the
 * validation trigger would refuse them.
 */
export function sealedText(batchNo: bigint, transfers: readonly SealedTransfer[]): string | undefined {
  const first = transfers[0];
  if (first === undefined) return undefined;
  const isOdd = ({ batch_sequence, posted_us, phase, kind, currency }: SealedTransfer, n: number): boolean =>
    batch_sequence !== n || posted_us !== first.posted_us || ![phase, kind, currency].every(isWord);
  if (transfers.some(isOdd)) return undefined;
  const isPlain = transfers.every(
    ({ phase, currency, released, resolves }) =>
      phase === 'posted' && currency === first.currency && released === 0n && resolves === null,
  );
  const head = ['2', batchNo, transfers.length, first.posted_us, isPlain ? first.currency : '', ''].join('|');
  return head + transfers.map((transfer) => (isPlain ? leg : legOfAnyPhase)(transfer).join('|')).join('\n');
}

type Fields = ReadonlyArray<string | number | bigint>;

function leg(transfer: SealedTransfer): Fields {
  const { subject, operation, cause } = transfer;
  return [
    transfer.leg,
    transfer.debit_account,
    transfer.debit_sequence,
    transfer.credit_account,
    transfer.credit_sequence,
    transfer.amount,
    transfer.kind,
    (Buffer.byteLength(subject) * 1000 + Buffer.byteLength(operation)) * 1000 + lengthOf(cause),
    subject,
    operation,
    ...present(cause),
  ];
}

function legOfAnyPhase(transfer: SealedTransfer): Fields {
  const { phase, currency, released, resolves } = transfer;
  return [phase, currency, released, lengthOf(resolves), ...leg(transfer), ...present(resolves)];
}

/** 0 for what is absent, so that it differs from an empty text. */
const lengthOf = (text: string | null): number => (text === null ? 0 : Buffer.byteLength(text) + 1);
const present = (text: string | null): readonly string[] => (text === null ? [] : [text]);
