import currencyCodes from 'currency-codes';

declare const currencyBrand: unique symbol;

/** A currency of ISO 4217 list one that has a minor unit, `EUR`. */
export type Currency = string & { readonly [currencyBrand]: true };

/** List one gives "N.A." for these; the package gives 0. Metals, funds and tests cannot be charged. */
const withoutMinorUnit = new Set('XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' '));

const exponents: ReadonlyMap<string, number> = new Map(
  currencyCodes.data
    .filter(({ code }) => !withoutMinorUnit.has(code))
    .map(({ code, digits }): [string, number] => [code, digits]),
);

/** Upper case only; undefined for a code that the list does not have. */
export function parseCurrency(text: unknown): Currency | undefined {
  return typeof text === 'string' && exponents.has(text) ? (text as Currency) : undefined;
}

/** Decimals of one unit: 2 for EUR, 0 for JPY, 3 for KWD, 4 for CLF. */
export function exponentOf(currency: Currency): number {
  return exponents.get(currency)!;
}
