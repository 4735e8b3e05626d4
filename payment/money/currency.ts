import { currencyDecimals } from '#schemas/currency.js';

declare const currencyBrand: unique symbol;

/** A currency of ISO 4217 list one that has a minor unit, `EUR`. */
export type Currency = string & { readonly [currencyBrand]: true };

/** Upper case only; undefined for a code that the list does not have. */
export function parseCurrency(text: unknown): Currency | undefined {
  return typeof text === 'string' && currencyDecimals(text) !== undefined ? (text as Currency) : undefined;
}

/** Decimals of one unit: 2 for EUR, 0 for JPY, 3 for KWD, 4 for CLF. */
export function exponentOf(currency: Currency): number {
  return currencyDecimals(currency)!;
}
