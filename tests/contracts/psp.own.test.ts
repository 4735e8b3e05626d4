import { describe } from 'vitest';
import { directPsp, hostedPagePsp } from '#payment/psp/https-psp.js';
import type { PspSettlementLine } from '#payment/psp/psp-settlement.js';
import { proves } from '#tools/acceptance/proves.js';
import { pspContract } from './psp.contract.js';

/** The simulator's clock may have been moved ahead over midnight. */
const utcDays = (): readonly string[] =>
  [0, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10));

proves('P-008', {
  asked: 'the provider is behind one interface: the same suite passes in token style and in direct style',
  shown:
    'both styles on our protocol: charges, captures, refunds, disputes, late close, webhooks, settlement',
  control: {
    in: 'payment/psp/https-psp.ts',
    change: "'/v1/charges'",
    to: "'/v1/registrations'",
  },
});
describe('P-008: in token style and in direct style', () => {
  pspContract({
    name: 'our own protocol',
    open: (https, kind, { urls, secrets }) =>
      kind === 'card' ? directPsp(https, urls, secrets) : hostedPagePsp(https, urls, secrets),
    /** This provider sends files. */
    async settlement(_, { controlUrl }) {
      const files = await Promise.all(
        utcDays().map(async (day) => {
          const response = await fetch(`${controlUrl}/settlement?day=${day}`);
          return ((await response.json()) as { file: string }).file.split('\n').slice(1, -2);
        }),
      );
      const lines: PspSettlementLine[] = [];
      for (const line of files.flat()) {
        const [kind, nonce, operation, reference, amount, fee, currency, status, at] = line.split(',');
        lines.push({
          kind: kind as PspSettlementLine['kind'],
          nonce: nonce!,
          operation: operation!,
          reference: reference!,
          amountMinor: BigInt(amount!),
          feeMinor: BigInt(fee!),
          currency: currency!,
          succeeded: status === 'succeeded',
          atMs: Date.parse(at!),
        });
      }
      return lines;
    },
    fee: () => 0n,
  });
});
