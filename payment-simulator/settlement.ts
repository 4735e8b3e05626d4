import { createHash } from 'node:crypto';
import type { RecordLine, SimulatedPayment } from './record.js';

/**
 * Possible errors in a settlement file, for tests that must find them. Missing inside is a line for a payment
 * that the shop never made.
 */
export const settlementMismatches = [
  'missing-at-provider',
  'missing-inside',
  'amount',
  'currency',
  'status',
  'duplicate',
  'fee',
  'day',
  'refund-without-charge',
] as const;
export type SettlementMismatch = (typeof settlementMismatches)[number];

export interface SettlementOptions {
  /** `2026-11-20`, in UTC. */
  readonly day: string;
  /** Applied to the lines in this order, one each, from the first on. */
  readonly mismatches?: readonly SettlementMismatch[];
}

interface Line {
  readonly kind: 'charge' | 'refund' | 'dispute' | 'dispute_won';
  readonly order: string;
  readonly operation: string;
  readonly reference: string;
  readonly amount: bigint;
  readonly fee: bigint;
  readonly currency: string;
  readonly status: 'succeeded' | 'failed';
  readonly atMs: number;
}

const dayMs = 86_400_000;

/** The settlement file of one day, from the record; the format is in `docs/formats/settlement-file.md`. */
export function settlementFile(
  record: readonly RecordLine[],
  { day, mismatches = [] }: SettlementOptions,
): string {
  const fromMs = Date.parse(`${day}T00:00:00Z`);
  const right = linesOf(record).filter(({ atMs }) => atMs >= fromMs && atMs < fromMs + dayMs);
  const lines = withMismatches(right, mismatches);
  const header = [
    'meridian-settlement',
    '1',
    `psp-${day}${mismatches.length === 0 ? '' : `-${mismatches.length}`}-${lines.length}`,
    'psp',
    instant(fromMs),
    instant(fromMs + dayMs),
    instant(fromMs + dayMs + 3_600_000),
  ];
  const body = [header.join(','), ...lines.map(textOf)].map((line) => `${line}\n`).join('');
  const sum = (pick: (line: Line) => bigint): bigint => lines.reduce((total, line) => total + pick(line), 0n);
  const hash = createHash('sha256').update(body).digest('hex');
  return `${body}end,${lines.length},${sum(({ amount }) => amount)},${sum(({ fee }) => fee)},${hash}\n`;
}

function linesOf(record: readonly RecordLine[]): Line[] {
  const lines: Line[] = [];
  const captured = new Map<string, SimulatedPayment>();
  for (const line of record) {
    if (line.kind === 'payment' && line.payment.status === 'captured' && !captured.has(line.payment.nonce)) {
      const { payment } = line;
      captured.set(payment.nonce, payment);
      const { nonce, reference, capturedMinor, currency } = payment;
      lines.push(
        lineOf('charge', nonce, nonce, reference, capturedMinor, currency, payment.capturedMs ?? line.atMs),
      );
    } else if (line.kind === 'refund' && line.refund.status === 'refunded') {
      const { paymentNonce, nonce, reference, amountMinor, currency } = line.refund;
      lines.push(lineOf('refund', paymentNonce, nonce, reference, amountMinor, currency, line.atMs));
    } else if (line.kind === 'dispute' && line.dispute.status !== 'lost') {
      const { paymentNonce, id, amountMinor, currency, status } = line.dispute;
      const kind = status === 'opened' ? 'dispute' : 'dispute_won';
      lines.push(lineOf(kind, paymentNonce, id, id, amountMinor, currency, line.atMs));
    }
  }
  return lines;
}

const lineOf = (
  kind: Line['kind'],
  order: string,
  operation: string,
  reference: string,
  amount: string,
  currency: string,
  atMs: number,
): Line => ({
  kind,
  order,
  operation,
  reference,
  amount: BigInt(amount),
  fee: 0n,
  currency,
  status: 'succeeded',
  atMs,
});

function withMismatches(lines: readonly Line[], mismatches: readonly SettlementMismatch[]): Line[] {
  return [
    ...lines.flatMap((line, at) => (mismatches[at] === undefined ? [line] : spoiled(line, mismatches[at]))),
  ];
}

function spoiled(line: Line, mismatch: SettlementMismatch): Line[] {
  switch (mismatch) {
    case 'missing-at-provider':
      return [];
    case 'missing-inside':
      return [
        line,
        { ...line, order: `${line.order}~x`, operation: `${line.order}~x`, reference: `${line.reference}x` },
      ];
    case 'amount':
      return [{ ...line, amount: line.amount + 1n }];
    case 'currency':
      return [{ ...line, currency: line.currency === 'USD' ? 'EUR' : 'USD' }];
    case 'status':
      return [{ ...line, status: 'failed' }];
    case 'duplicate':
      return [line, line];
    case 'fee':
      return [{ ...line, fee: line.fee + 25n }];
    case 'day':
      return [{ ...line, atMs: line.atMs - dayMs }];
    case 'refund-without-charge':
      return [
        line,
        { ...line, kind: 'refund', order: `${line.order}~y`, operation: 'refund~y', reference: 'ref~y' },
      ];
  }
}

function textOf(line: Line): string {
  const { kind, order, operation, reference, amount, fee, currency, status, atMs } = line;
  return [
    kind,
    encoded(order),
    encoded(operation),
    encoded(reference),
    amount,
    fee,
    currency,
    status,
    instant(atMs),
  ].join(',');
}

const encoded = (id: string): string =>
  id.replaceAll(/[^A-Za-z0-9._~:-]/gu, (character) =>
    [...Buffer.from(character)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  );

const instant = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');
