import { type TInteger, Type } from 'typebox';

const integers = new Map<string, TInteger>();

/** Equal bounds are one schema, which is compiled once. */
export function between(minimum: number, maximum: number): TInteger {
  const bounds = `${minimum} ${maximum}`;
  const known = integers.get(bounds) ?? Type.Integer({ minimum, maximum });
  integers.set(bounds, known);
  return known;
}

export const port = between(0, 65_535);
export const count = (maximum: number) => between(1, maximum);
export const address = (...schemes: string[]) =>
  Type.String({ pattern: `^(?:${schemes.join('|')}):.*$`, maxLength: 2_048 });
/** Whole minor units of whatever currency: 100000 is 1,000.00 EUR. */
export const minorUnits = between(0, 1_000_000_000_000);
export const httpUrl = Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 2_048 });
/** An origin and perhaps a path, nothing behind it. */
export const publicUrl = Type.String({
  pattern: '^https?://[A-Za-z0-9.-]{1,253}(?::\\d{1,5})?(?:/[\\w.~-]{1,64}){0,8}/?$',
  maxLength: 1_024,
});
export const path = Type.String({ minLength: 1, maxLength: 4_096 });
export const httpsUrl = Type.String({ pattern: '^https://[^\\s]+$', maxLength: 2_048 });
/** SHA-256 of a public key in base64, or two of them. */
export const pins = Type.String({
  pattern: '^[A-Za-z0-9+/]{43}=(?:,[A-Za-z0-9+/]{43}=)?$',
  maxLength: 128,
});
