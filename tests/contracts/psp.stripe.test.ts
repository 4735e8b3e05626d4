import { describe } from 'vitest';
import { stripePsp } from '#payment/psp/stripe/stripe-psp.js';
import { stripeFee } from '#payment-simulator/stripe/stripe-balance.js';
import { proves } from '#tools/acceptance/proves.js';
import { pspContract } from './psp.contract.js';

const dayMs = 86_400_000;

proves('P-008', {
  asked: 'the same suite passes with two different simulators',
  shown: 'the same suite, both styles, on the protocol of Stripe: checkout sessions and payment intents',
  control: {
    in: 'payment/psp/stripe/stripe-psp.ts',
    change: "    'metadata[nonce]': nonce,\n    ...(manual === true",
    to: '    ...(manual === true',
  },
});
describe('P-008: on the protocol of Stripe', () => {
  pspContract({
    name: 'Stripe',
    open: (https, _, { urls, secrets, nowMs }) => stripePsp(https, { webhookSecrets: secrets, urls, nowMs }),
    async settlement(psp) {
      const nowMs = Math.floor(Date.now() / 1_000) * 1_000;
      const answer = await psp.settlement!({ fromMs: nowMs - dayMs, toMs: nowMs + dayMs });
      if (answer.kind !== 'known') throw new Error(`not known: ${JSON.stringify(answer)}`);
      return answer.value;
    },
    fee: (amountMinor) => BigInt(stripeFee(Number(amountMinor))),
  });
});
