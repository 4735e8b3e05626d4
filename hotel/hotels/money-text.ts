import { currencyDecimals } from '#schemas/currency.js';

/** The decimal with all decimals of the currency: `120.00`, `1000` for JPY. */
export function moneyText(minor: bigint, currency: string): string {
  const decimals = currencyDecimals(currency) ?? 0;
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, '0');
  const sign = minor < 0n ? '-' : '';
  return decimals === 0 ? sign + digits : `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/**
 * Minor units of a positive decimal with at most as many decimals as the currency has; undefined for anything
 * else.
 */
export function minorOf(text: string, currency: string): bigint | undefined {
  const decimals = currencyDecimals(currency);
  const parts = /^(0|[1-9]\d{0,14})(?:\.(\d{1,4}))?$/.exec(text);
  if (decimals === undefined || parts === null) return undefined;
  const [, whole = '', fraction = ''] = parts;
  if (fraction.length > decimals) return undefined;
  const minor = BigInt(whole + fraction.padEnd(decimals, '0'));
  return minor === 0n ? undefined : minor;
}
