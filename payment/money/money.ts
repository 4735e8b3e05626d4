import { paymentLimits } from '../settings/limits.js';
import { type Currency, exponentOf, parseCurrency } from './currency.js';

/**
 * An amount in whole minor units: 10.00 EUR is `{ minor: 1000n, currency: 'EUR' }`. Negative only where an
 * account allows it.
 */
export interface Money {
  readonly minor: bigint;
  readonly currency: Currency;
}

export type ParsedMoney =
  | { readonly kind: 'money'; readonly money: Money }
  | { readonly kind: 'refused'; readonly field: 'amount' | 'currency'; readonly reason: string };

const decimal = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

/**
 * Reads a positive decimal amount as callers send it: ASCII digits, at most one point, no sign, no exponent,
 * no grouping, no space, no more decimals than the currency has (ISO 4217), at most `amountDigitsMax` digits.
 */
export function parseMoney(amount: unknown, currency: unknown): ParsedMoney {
  const refuse = (field: 'amount' | 'currency', reason: string): ParsedMoney => ({
    kind: 'refused',
    field,
    reason,
  });
  const known = parseCurrency(currency);
  if (known === undefined)
    return refuse('currency', 'The currency must be a code of ISO 4217 in upper case, like EUR.');
  if (typeof amount !== 'string')
    return refuse('amount', 'The amount must be a string, like "10.00": a JSON number loses cents.');
  // The length first, so that a megabyte of digits costs nothing.
  const parts = amount.length > paymentLimits.amountDigitsMax + 1 ? null : decimal.exec(amount);
  if (parts === null)
    return refuse(
      'amount',
      `The amount must be a plain decimal like "10.00", at most ${paymentLimits.amountDigitsMax} digits.`,
    );
  const [, whole = '', fraction = ''] = parts;
  const exponent = exponentOf(known);
  if (fraction.length > exponent)
    return refuse('amount', `${known} has ${exponent} decimals and the amount has ${fraction.length}.`);
  const minor = BigInt(whole + fraction.padEnd(exponent, '0'));
  if (whole.length + exponent > paymentLimits.amountDigitsMax)
    return refuse('amount', `The amount has more than ${paymentLimits.amountDigitsMax} digits.`);
  if (minor === 0n) return refuse('amount', 'The amount must be above zero.');
  return { kind: 'money', money: { minor, currency: known } };
}

/** The decimal with all decimals of the currency: `10.00`, `-0.05`, `1000` for JPY. */
export function formatMoney({ minor, currency }: Money): string {
  const exponent = exponentOf(currency);
  const digits = (minor < 0n ? -minor : minor).toString().padStart(exponent + 1, '0');
  const sign = minor < 0n ? '-' : '';
  if (exponent === 0) return sign + digits;
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/** Throws when the currencies differ: that is a fault of the program, never of a caller. */
export function addMoney(one: Money, other: Money): Money {
  if (one.currency !== other.currency)
    throw new Error(`${one.currency} and ${other.currency} cannot be added.`);
  return { minor: one.minor + other.minor, currency: one.currency };
}
