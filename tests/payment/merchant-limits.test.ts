import { expect, test } from 'vitest';
import { merchantRates } from '#cli/start/merchant-rates.js';
import { SellerRates } from '#payment/http/seller-rates.js';
import { rulesRiskCheck } from '#payment/risk/risk-check.js';
import { parseMerchantLimits } from '#payment/settings/merchant-limits.js';
import { paymentDefaults } from '#payment/settings/settings.js';
import { grantsOf } from '#platform/http/identity.js';
import type { SqlSession } from '#platform/sql/sql.js';

test('P-006: the limit of a seller replaces the general one, for this seller alone', async () => {
  const counted = { query: async () => ({ rows: [{ made: 0n }], rowCount: 0 }) } as unknown as SqlSession;
  const reviewAboveMinorOf = parseMerchantLimits('X', 'DE02=500, shop-7=200000000') as Map<string, bigint>;
  const check = rulesRiskCheck(counted, { ...paymentDefaults, reviewAboveMinorOf });
  const decide = async (sellerAccount: string, amountMinor: bigint) =>
    (
      await check.assess({
        caller: 'shop',
        checkoutId: 'c',
        nowMs: 0,
        buyer: ['00'],
        orders: [{ id: 'o', sellerAccount, amountMinor }],
      })
    ).decision;
  expect([await decide('DE02', 500n), await decide('DE02', 501n)]).toEqual(['allow', 'review']);
  expect([await decide('DE03', 501n), await decide('DE03', 100_000_001n)]).toEqual(['allow', 'review']);
  expect(await decide('shop-7', 100_000_001n)).toBe('allow');
});

test('a wrong list of limits is a sentence', () => {
  expect(parseMerchantLimits('OF', '')).toEqual(new Map());
  for (const wrong of ['DE02', 'DE02=', '=5', 'DE02=1.5', 'DE02=-1', 'a=1,a=2', 'a=1,', 'a=1=2'])
    expect(parseMerchantLimits('OF', wrong)).toMatch(/^OF has /);
  expect(parseMerchantLimits('OF', 'a=0', 1n)).toMatch(/^OF has "a=0"/);
});

test('events are counted by caller and seller, once for each event', () => {
  let nowMs = 0;
  const settings = { eventsPerSellerAMinute: 2, eventsPerSellerAMinuteOf: new Map([['big', 5n]]) };
  const rates = new SellerRates(settings, () => nowMs);
  const passed = (caller: string, sellers: readonly string[], times: number): number =>
    Array.from({ length: times }, () => rates.refusal(caller, sellers)).filter((no) => no === undefined)
      .length;
  expect(passed('shop', ['a', 'a', 'a'], 3)).toBe(2);
  expect(passed('shop', ['b'], 3)).toBe(2);
  expect(passed('other', ['a'], 3)).toBe(2);
  expect(passed('shop', ['big'], 9)).toBe(5);
  const refused = rates.refusal('shop', ['a']);
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '30' } });
  expect(refused?.problem?.detail).toBe(
    'At most 2 payment events of one caller for one seller are accepted in a minute.',
  );
  nowMs += 30_000;
  expect(passed('shop', ['a'], 3)).toBe(1);
});

test('a shop is limited as a merchant by default, and a person as a user', () => {
  const policyOf = merchantRates({ RATE_PER_MERCHANT: 600_000, RATE_PER_MERCHANT_OF: 'shop-7=50' });
  const identity = (userId: string, scope: string) => ({ userId, ...grantsOf(scope), expiresAt: 0 });
  expect(policyOf(identity('shop', 'service'))).toEqual({ name: 'merchant', limit: 600_000, windowS: 60 });
  expect(policyOf(identity('shop-7', 'service'))?.limit).toBe(50);
  expect(policyOf(identity('ann', 'merchant'))?.limit).toBe(600_000);
  expect(policyOf(identity('shop-7', 'customer'))).toBeUndefined();
  expect(() => merchantRates({ RATE_PER_MERCHANT: 1, RATE_PER_MERCHANT_OF: 'a=0' })).toThrow(
    'RATE_PER_MERCHANT_OF has "a=0"',
  );
});
