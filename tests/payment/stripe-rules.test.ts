import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromStripeAmount, fromStripeCurrency, toStripeAmount } from '#payment/psp/stripe/stripe-amounts.js';
import { verifyStripeSignature } from '#payment/psp/stripe/stripe-signature.js';

it.each([
  ['EUR', 1_050n, '1050'],
  ['JPY', 500n, '500'],
  // No decimals in ISO 4217, two at Stripe.
  ['ISK', 5n, '500'],
  ['UGX', 5n, '500'],
  // Two decimals in ISO 4217, none at Stripe.
  ['MGA', 500n, '5'],
  ['MGA', 501n, undefined],
  // Three decimals, of which the last must be 0.
  ['KWD', 5_120n, '5120'],
  ['KWD', 5_124n, undefined],
  ['BHD', 1n, undefined],
  // Not at Stripe.
  ['CLF', 10_000n, undefined],
  ['IQD', 1_000n, undefined],
  ['EUR', 0n, undefined],
  ['EUR', 10n ** 15n, undefined],
])('%s: %s minor units are %s at Stripe', (currency, minor, amount) => {
  expect(toStripeAmount(minor, currency)).toBe(amount);
});

it('every amount that Stripe takes comes back as it was', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('EUR', 'JPY', 'KWD', 'ISK', 'MGA', 'BHD', 'HUF', 'TWD'),
      fc.bigInt({ min: 1n, max: 10n ** 12n }),
      (currency, minor) => {
        const amount = toStripeAmount(minor, currency);
        if (amount !== undefined) expect(fromStripeAmount(Number(amount), currency)).toBe(minor);
      },
    ),
  );
});

it('what is no amount or no currency is refused', () => {
  for (const amount of [-1, 1.5, '10', null, Number.NaN, 2 ** 60])
    expect(fromStripeAmount(amount, 'EUR')).toBeUndefined();
  expect(fromStripeAmount(550, 'ISK')).toBeUndefined();
  expect(['eur', 'EUR', 'xxx', 'eu', 5].map(fromStripeCurrency)).toEqual([
    'EUR',
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

/** A public example: the tests of Stripe's libraries sign this event. */
const event = {
  id: 'evt_123',
  object: 'event',
  account: 'acct_123',
  api_version: '2017-05-25',
  created: 1533204620,
  data: {
    object: {
      id: 'ii_123',
      object: 'invoiceitem',
      amount: 1000,
      currency: 'usd',
      customer: 'cus_123',
      date: 1533204620,
      description: 'Test Invoice Item',
      discountable: false,
      invoice: 'in_123',
      livemode: false,
      metadata: {},
      period: { start: 1533204620, end: 1533204620 },
      proration: false,
      quantity: 3,
    },
  },
  livemode: false,
  pending_webhooks: 1,
  request: { id: 'req_123', idempotency_key: 'idempotency-key-123' },
  type: 'invoiceitem.created',
};
const body = `${JSON.stringify(event, undefined, 2)}\n`;
const v1 = '82216eca827bcb7b34b8055eb2d2d9e6bc13b9ac39ded14a61e69f70c565f53a';
const v0 = '63f3a72374a733066c4be69ed7f8e5ac85c22c9f0a6a612ab9a025a9e4ee7eef';
const secret = 'webhook_secret';
const atMs = 1_533_204_620_000;
const verify = (header: string | undefined, secrets = [secret], nowMs = atMs, text = body) => {
  const verified = verifyStripeSignature(header, text, secrets, nowMs, 300_000);
  return verified.ok ? 'ok' : verified.reason;
};

it('a signature that Stripe published is valid, also beside others and with one of several secrets', () => {
  const other = '0'.repeat(64);
  expect(verify(`t=1533204620,v1=${v1},v0=${v0}`)).toBe('ok');
  expect(verify(`t=1533204620,v1=${other},v1=${v1}`)).toBe('ok');
  expect(verify(`t=1533204620,v1=${v1}`, ['another_secret', secret])).toBe('ok');
});

it.each([
  ['without a header', undefined, 'unsigned'],
  ['without a time', `v1=${v1}`, 'unsigned'],
  ['with two times', `t=1533204620,t=1,v1=${v1}`, 'unsigned'],
  ['with another scheme alone', `t=1533204620,v0=${v0}`, 'unsigned'],
  ['with the signature of another scheme', `t=1533204620,v1=${v0}`, 'forged'],
  ['with another time', `t=1533204621,v1=${v1}`, 'forged'],
  ['that is too long', `t=1533204620,v1=${v1},${'v1=0,'.repeat(2_000)}`, 'unsigned'],
])('a webhook %s is refused', (_, header, reason) => {
  expect(verify(header)).toBe(reason);
});

it('a valid signature that is too old, from the future or of another body is refused', () => {
  const header = `t=1533204620,v1=${v1}`;
  expect(verify(header, [secret], atMs + 301_000)).toBe('too old');
  expect(verify(header, [secret], atMs - 301_000)).toBe('from the future');
  expect(verify(header, [secret], atMs, body.replace('1000', '1001'))).toBe('forged');
  expect(verify(header, ['another_secret'])).toBe('forged');
});
