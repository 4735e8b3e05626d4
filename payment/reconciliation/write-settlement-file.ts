import { createHash } from 'node:crypto';
import type { PspSettlementLine, SettlementPeriod } from '../psp/psp-settlement.js';

/**
 * Lines that a provider gave by calls, as the file that it would have sent: what is known about files, that
 * they are stored whole and once, is true for them too. The same lines are the same bytes.
 */
export function* writeSettlementFile(
  {
    fileId,
    provider,
    period,
  }: {
    readonly fileId: string;
    readonly provider: string;
    readonly period: SettlementPeriod;
  },
  lines: readonly PspSettlementLine[],
): Generator<Buffer> {
  const hash = createHash('sha256');
  const hashed = (line: string): Buffer => {
    const bytes = Buffer.from(`${line}\n`);
    hash.update(bytes);
    return bytes;
  };
  const [from, to] = [instant(period.fromMs), instant(period.toMs)];
  yield hashed(['meridian-settlement', '1', encoded(fileId), provider, from, to, to].join(','));
  let amounts = 0n;
  let fees = 0n;
  for (const line of lines) {
    amounts += line.amountMinor;
    fees += line.feeMinor;
    yield hashed(textOf(line));
  }
  yield Buffer.from(`end,${lines.length},${amounts},${fees},${hash.digest('hex')}\n`);
}

const textOf = (line: PspSettlementLine): string =>
  [
    line.kind,
    encoded(line.nonce),
    encoded(line.operation),
    encoded(line.reference),
    line.amountMinor,
    line.feeMinor,
    line.currency,
    line.succeeded ? 'succeeded' : 'failed',
    instant(line.atMs),
    ...(line.payout === undefined ? [] : [encoded(line.payout)]),
  ].join(',');

const encoded = (id: string): string =>
  id.replaceAll(/[^A-Za-z0-9._~:-]/gu, (character) =>
    [...Buffer.from(character)]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  );

const instant = (ms: number): string => new Date(ms).toISOString();
