import { currencyDecimals } from '#schemas/currency.js';
import { pspLimits } from './limits.js';

/** `any` is written `*`. */
export interface RoutingRule {
  readonly currencies: ReadonlySet<string> | 'any';
  readonly countries: ReadonlySet<string> | 'any';
  /** First choice first. */
  readonly providers: readonly string[];
}

/** One rule: these providers for every order. */
export const everythingTo = (providers: readonly string[]): readonly RoutingRule[] => [
  { currencies: 'any', countries: 'any', providers },
];

/** The first rule that applies; an order without a country meets only rules for any country. */
export function ruleFor(
  rules: readonly RoutingRule[],
  { currency, country }: { readonly currency: string; readonly country: string | undefined },
): RoutingRule {
  const found = rules.find(
    ({ currencies, countries }) =>
      (currencies === 'any' || currencies.has(currency)) &&
      (countries === 'any' || (country !== undefined && countries.has(country))),
  );
  if (found === undefined) throw new Error('The last routing rule is for everything.');
  return found;
}

/**
 * Reads rules like `EUR,CHF in DE,AT: stripe,psp; *: psp,stripe`. Throws a sentence for people when they are
 * too many, name something that does not exist, can never apply, or do not end with a rule for everything.
 */
export function parseRoutingRules(text: string, configured: readonly string[]): readonly RoutingRule[] {
  const parts = text.split(';').map((part) => part.trim());
  if (parts.length > pspLimits.routingRulesMax)
    throw new Error(`PAYMENT_ROUTES has ${parts.length} rules; the most is ${pspLimits.routingRulesMax}.`);
  const rules = parts.map((part) => parseRule(part, configured));
  for (const [at, rule] of rules.entries()) {
    const earlier = rules.slice(0, at).findIndex((one) => covers(one, rule));
    if (earlier >= 0)
      throw new Error(`In PAYMENT_ROUTES, "${parts[at]}" never applies: "${parts[earlier]}" comes first.`);
  }
  const last = rules.at(-1)!;
  if (last.currencies !== 'any' || last.countries !== 'any')
    throw new Error('The last rule of PAYMENT_ROUTES must be for everything, for example "*: psp".');
  return rules;
}

function parseRule(part: string, configured: readonly string[]): RoutingRule {
  const match = /^(\S+?)(?:\s+in\s+(\S+?))?\s*:\s*(\S+)$/.exec(part);
  if (match === null)
    throw new Error(
      `PAYMENT_ROUTES cannot be read at "${part}". Write for example "EUR in DE,AT: stripe,psp; *: psp".`,
    );
  const [, currencies = '*', countries = '*', providers = ''] = match;
  return {
    currencies: setOf(currencies, (code) => currencyDecimals(code) !== undefined, 'currency of ISO 4217'),
    countries: setOf(countries, isCountry, 'country of ISO 3166'),
    providers: providersOf(providers, configured),
  };
}

function setOf(text: string, isKnown: (code: string) => boolean, what: string): RoutingRule['currencies'] {
  if (text === '*') return 'any';
  const codes = text.split(',');
  const unknown = codes.find((code) => !isKnown(code));
  if (unknown !== undefined) throw new Error(`PAYMENT_ROUTES names "${unknown}", which is no ${what}.`);
  return new Set(codes);
}

function providersOf(text: string, configured: readonly string[]): readonly string[] {
  const names = text.split(',');
  const unknown = names.find((name) => !configured.includes(name));
  if (unknown !== undefined)
    throw new Error(
      `PAYMENT_ROUTES names the provider "${unknown}"; configured are: ${configured.join(', ')}.`,
    );
  if (new Set(names).size !== names.length)
    throw new Error(`PAYMENT_ROUTES names a provider twice in "${text}".`);
  return names;
}

const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** Regions include some that are no country, such as UN; nobody is harmed by a rule for them. */
const isCountry = (code: string): boolean => /^[A-Z]{2}$/.test(code) && names.of(code) !== undefined;

/** Whether every order of `later` meets `rule`. */
const covers = (rule: RoutingRule, later: RoutingRule): boolean =>
  includes(rule.currencies, later.currencies) && includes(rule.countries, later.countries);

function includes(set: RoutingRule['currencies'], other: RoutingRule['currencies']): boolean {
  if (set === 'any') return true;
  return other !== 'any' && [...other].every((code) => set.has(code));
}
