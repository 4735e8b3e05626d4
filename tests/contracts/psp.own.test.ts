import { Readable } from 'node:stream';
import { describe } from 'vitest';
import { directPsp, hostedPagePsp } from '#payment/psp/https-psp.js';
import type { PspSettlementLine } from '#payment/psp/psp-settlement.js';
import { proves } from '#tools/acceptance/proves.js';
import { pspContract } from './psp.contract.js';

const utcDay = (): string => new Date().toISOString().slice(0, 10);

proves('P-008', {
  asked: 'the provider is behind one interface: the same suite passes in token style and in direct style',
  shown: 'the suite of the port on our protocol: pages found by a token, and cards charged directly',
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
      const response = await fetch(`${controlUrl}/settlement?day=${utcDay()}`);
      const { file } = (await response.json()) as { file: string };
      const lines: PspSettlementLine[] = [];
      for await (const line of Readable.from(file.split('\n').slice(1, -2)) as AsyncIterable<string>) {
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
