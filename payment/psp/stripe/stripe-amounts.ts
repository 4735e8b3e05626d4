import { currencyDecimals } from '#schemas/currency.js';
import { paymentLimits } from '../../settings/limits.js';

/** Decimals of Stripe's amounts where they are not those of ISO 4217 (docs.stripe.com/currencies). */
const otherDecimals: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 };

/** Three decimals, of which the last must be 0. Stripe takes no other currency with three or more. */
const threeDecimals: ReadonlySet<string> = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);

/**
 * An amount in minor units of ISO 4217 as Stripe writes it. Undefined when Stripe cannot charge exactly this
 * amount: 1.005 KWD, or 0.05 MGA.
 */
export function toStripeAmount(minor: bigint, currency: string): string | undefined {
  const shift = shiftOf(currency);
  if (shift === undefined || minor <= 0n) return undefined;
  const scale = 10n ** BigInt(Math.abs(shift));
  if (shift < 0 && minor % scale !== 0n) return undefined;
  if (threeDecimals.has(currency) && minor % 10n !== 0n) return undefined;
  const amount = shift < 0 ? minor / scale : minor * scale;
  return amount.toString().length > paymentLimits.amountDigitsMax ? undefined : amount.toString();
}

/** The other way; undefined for what is no amount, or no whole minor units. */
export function fromStripeAmount(amount: unknown, currency: string): bigint | undefined {
  const shift = shiftOf(currency);
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount < 0) return undefined;
  if (shift === undefined) return undefined;
  const scale = 10n ** BigInt(Math.abs(shift));
  if (shift < 0) return BigInt(amount) * scale;
  return BigInt(amount) % scale === 0n ? BigInt(amount) / scale : undefined;
}

/** Upper case, as everywhere but at Stripe; undefined for what is no currency. */
export function fromStripeCurrency(currency: unknown): string | undefined {
  const upper = typeof currency === 'string' && /^[a-z]{3}$/.test(currency) ? currency.toUpperCase() : '';
  return shiftOf(upper) === undefined ? undefined : upper;
}

/** Stripe's decimals minus those of ISO 4217. */
function shiftOf(currency: string): number | undefined {
  const iso = currencyDecimals(currency);
  if (iso === undefined || (iso > 2 && !threeDecimals.has(currency))) return undefined;
  return (otherDecimals[currency] ?? iso) - iso;
}
