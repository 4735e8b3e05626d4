import { minorOf } from './money-text.js';

/** Minor units of a decimal that may be negative or zero; undefined when it is not one of the currency. */
export function signedMinorOf(text: string, currency: string): bigint | undefined {
  if (/^-?0+(\.0+)?$/.test(text)) return 0n;
  const isNegative = text.startsWith('-');
  const minor = minorOf(isNegative ? text.slice(1) : text, currency);
  return minor === undefined || !isNegative ? minor : -minor;
}
