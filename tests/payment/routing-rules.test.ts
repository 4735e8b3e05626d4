import { describe, expect, it } from 'vitest';
import { ProviderHealth } from '#payment/psp/provider-health.js';
import { parseRoutingRules, ruleFor } from '#payment/psp/routing-rules.js';
import { providerDefaults } from '#payment/settings/delivery-settings.js';

const configured = ['psp', 'stripe'];
const parse = (text: string) => parseRoutingRules(text, configured);

describe('routing rules', () => {
  const rules = parse('EUR,CHF in DE,AT: stripe,psp; JPY: stripe; * in US: psp,stripe; *: psp');
  it.each([
    ['EUR', 'DE', ['stripe', 'psp']],
    ['CHF', 'AT', ['stripe', 'psp']],
    ['EUR', 'FR', ['psp']],
    ['EUR', undefined, ['psp']],
    ['JPY', 'DE', ['stripe']],
    ['EUR', 'US', ['psp', 'stripe']],
  ])('the first rule that fits decides: %s in %s', (currency, country, providers) => {
    expect(ruleFor(rules, { currency, country }).providers).toEqual(providers);
  });

  it.each([
    ['', 'cannot be read'],
    ['EUR stripe', 'cannot be read'],
    ['*: adyen', 'names the provider "adyen"'],
    ['*: psp,psp', 'twice'],
    ['EURO: psp; *: psp', '"EURO", which is no currency'],
    ['EUR in Germany: psp; *: psp', '"Germany", which is no country'],
    ['EUR in XX: psp; *: psp', '"XX", which is no country'],
    ['EUR: psp', 'must be for everything'],
    ['*: psp; EUR: stripe', 'never applies'],
    ['EUR: psp; EUR in DE: stripe; *: psp', 'never applies'],
    [`${'EUR: psp; '.repeat(32)}*: psp`, '33 rules'],
  ])('%j is refused with a reason', (text, reason) => {
    expect(() => parse(text)).toThrow(reason);
  });
});

describe('health', () => {
  it('a provider rests after five failures in a row, and one success ends it', () => {
    let now = 0;
    const health = new ProviderHealth(() => now, providerDefaults);
    const failed = { kind: 'unknown', reason: 'r' } as const;
    for (let call = 0; call < 4; call += 1) health.record('a', failed);
    expect(health.isWell('a')).toBe(true);
    health.record('a', { kind: 'refused', code: 'provider_unreachable' });
    expect([health.isWell('a'), health.isWell('b')]).toEqual([false, true]);
    now = 30_000;
    expect(health.isWell('a')).toBe(true);
    health.record('a', failed);
    expect(health.isWell('a')).toBe(false);
    health.record('a', { kind: 'refused', code: 'card_declined' });
    expect(health.isWell('a')).toBe(true);
  });
});
