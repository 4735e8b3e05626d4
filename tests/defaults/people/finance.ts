import { expect } from 'vitest';
import type { PaymentDeadLetters } from '#schemas/http/finance.js';
import { eventually } from '../../eventually.js';
import type { DefaultPlatform } from '../default-platform.js';
import { callerOf, type Person } from '../person.js';

interface Proof {
  readonly share: number;
  readonly unproven: number;
  readonly wallets_wrong: number;
  readonly ledger_sum: string;
  readonly findings_open: number;
}

/** Sees everybody's payments, balanced books and no dead letter, and at the end all money proven. */
export async function finance(platform: DefaultPlatform): Promise<Person> {
  const { ask } = await callerOf(platform, 'daily-finance', 'finance', 'internal');
  const proof = () => ask<Proof>('GET', '/v1/finance/proof');
  return {
    name: 'finance',
    everyMs: 15_000,
    async round() {
      await ask('GET', '/v1/finance/payments?limit=50');
      expect(await ask<PaymentDeadLetters>('GET', '/v1/payment-dead-letters')).toMatchObject({
        dead_letters: [],
      });
      expect(await proof()).toMatchObject({ wallets_wrong: 0, ledger_sum: '0', findings_open: 0 });
    },
    async finish() {
      // Of a payment in progress the books do not know everything yet.
      await eventually(async () => expect(await proof()).toMatchObject({ share: 1, unproven: 0 }));
    },
  };
}
