import currencyCodes from 'currency-codes';

/**
 * List one gives "N.A." for these; the package gives 0. Metals, funds and tests: nothing can be priced or
 * charged in them.
 */
const withoutMinorUnit = new Set('XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' '));

const decimals: ReadonlyMap<string, number> = new Map(
  currencyCodes.data
    .filter(({ code }) => !withoutMinorUnit.has(code))
    .map(({ code, digits }): [string, number] => [code, digits]),
);

/**
 * Decimals of one unit of a currency of ISO 4217, 2 for EUR, 0 for JPY; undefined when nothing can be priced
 * in it. Upper case only.
 */
export const currencyDecimals = (code: string): number | undefined => decimals.get(code);
