import type { FieldError } from '#platform/http/problem.js';
import type { TaxLineView, TaxRuleBody } from '#schemas/http/hotel-taxes.js';
import { minorOf, moneyText } from '../hotels/money-text.js';
import { isDay } from '../reservations/stay-days.js';
import type { TaxLine } from '../taxes/tax-lines.js';
import { type TaxRule, taxFaults, taxLimits } from '../taxes/tax-rule.js';
import { badDay } from './messages.js';

export const taxLineView = (
  { code, name, amountMinor, isIncluded }: TaxLine,
  currency: string,
): TaxLineView => ({
  code,
  name,
  amount: moneyText(amountMinor, currency),
  included: isIncluded,
});

export function taxRuleView(rule: TaxRule, currency: string): TaxRuleBody {
  const { code, name, kind, from, to } = rule;
  const dates = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  if ('basisPoints' in rule) return { code, name, kind, percent: percentText(rule.basisPoints), ...dates };
  const { amountMinor, nightsMax } = rule;
  const amount = moneyText(BigInt(amountMinor), currency);
  return { code, name, kind, amount, ...(nightsMax === undefined ? {} : { nightsMax }), ...dates };
}

/** The rules that a client sent, or what is wrong with them. */
export function parseTaxRules(
  bodies: readonly TaxRuleBody[],
  currency: string,
): { readonly rules: readonly TaxRule[] } | { readonly errors: readonly FieldError[] } {
  const parsed = bodies.map((body, index) => parseRule(body, `/rules/${index}`, currency));
  const errors = parsed.flatMap((one) => ('errors' in one ? one.errors : []));
  if (errors.length > 0) return { errors };
  const rules = parsed.flatMap((one) => ('rule' in one ? one.rule : []));
  const faults = taxFaults(rules);
  return faults.length > 0 ? { errors: faults } : { rules };
}

type ParsedRule = { readonly rule: TaxRule } | { readonly errors: readonly FieldError[] };

function parseRule(body: TaxRuleBody, pointer: string, currency: string): ParsedRule {
  const { code, name, kind, percent, amount, nightsMax, from, to } = body;
  const dated = { code, name, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  const wrong = (field: string, message: string) => ({
    errors: [{ pointer: `${pointer}/${field}`, message }],
  });
  for (const [field, date] of Object.entries({ from, to }))
    if (date !== undefined && !isDay(date)) return wrong(field, badDay);
  if (from !== undefined && to !== undefined && to < from) return wrong('to', 'must not be before from');
  if (kind === 'vat' || kind === 'fee') {
    if (amount !== undefined) return wrong('amount', `is not a field of the kind ${kind}`);
    if (nightsMax !== undefined) return wrong('nightsMax', `is not a field of the kind ${kind}`);
    const basisPoints = percent === undefined ? 0 : Number(minorOf(percent, 'EUR') ?? 0);
    if (basisPoints < 1 || basisPoints > taxLimits.basisPointsMax)
      return wrong('percent', 'must be more than 0 and at most 100');
    return { rule: { ...dated, kind, basisPoints } };
  }
  if (percent !== undefined) return wrong('percent', `is not a field of the kind ${kind}`);
  const amountMinor = amount === undefined ? undefined : minorOf(amount, currency);
  if (amountMinor === undefined || amountMinor > BigInt(taxLimits.amountMinorMax))
    return wrong(
      'amount',
      `must be a positive decimal of ${currency}, not above ${taxLimits.amountMinorMax} minor units`,
    );
  return {
    rule: {
      ...dated,
      kind,
      amountMinor: Number(amountMinor),
      ...(nightsMax === undefined ? {} : { nightsMax }),
    },
  };
}

/** `7`, `3.8`, `12.25`. */
const percentText = (basisPoints: number): string =>
  `${Math.trunc(basisPoints / 100)}.${String(basisPoints % 100).padStart(2, '0')}`.replace(/\.?0+$/, '');
