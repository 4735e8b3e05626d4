import { expect, test } from 'vitest';
import { rulesRiskCheck } from '#payment/risk/risk-check.js';
import { parseMerchantLimits } from '#payment/settings/merchant-limits.js';
import { paymentDefaults } from '#payment/settings/settings.js';
import type { SqlSession } from '#platform/sql/sql.js';

test('P-006: the limit of a seller replaces the general one, for this seller alone', async () => {
  const counted = { query: async () => ({ rows: [{ made: 0n }], rowCount: 0 }) } as unknown as SqlSession;
  const reviewAboveMinorOf = parseMerchantLimits('DE02=500, shop-7=200000000') as Map<string, bigint>;
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
  expect(parseMerchantLimits('')).toEqual(new Map());
  for (const wrong of ['DE02', 'DE02=', '=5', 'DE02=1.5', 'DE02=-1', 'a=1,a=2', 'a=1,', 'a=1=2'])
    expect(parseMerchantLimits(wrong)).toMatch(/^PAYMENT_REVIEW_ABOVE_OF has /);
});
