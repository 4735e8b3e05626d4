import type { RatePolicy } from '../http-types.js';
import type { RateVerdict } from '../rate-limiter.js';

/** The result of the rate limiter for a request. */
export interface Rated {
  readonly policy: RatePolicy;
  readonly verdict: RateVerdict;
  /** A second policy that applied: the monthly quota of a customer. */
  readonly beside?: { readonly policy: RatePolicy; readonly verdict: RateVerdict } | undefined;
}

/** Maximum length of the variable part: an id, and three numbers with their names. */
export const variableBytesMax = 160;

/** The line of the limiter up to its numbers. */
export const nameLineOf = (policy: RatePolicy | undefined): string =>
  policy === undefined ? '' : `\r\nratelimit: "${policy.name}";r=`;

/**
 * Writes the variable part: the rest of the request id, which is one of ours, and the result of the limiter.
 * Returns the end of the head.
 */
export function putVariable(
  bytes: Uint8Array,
  from: number,
  ownId: number,
  nameLine: string,
  rated: Rated | undefined,
): number {
  // From the number, because its text does not exist yet.
  let at = putNumber(bytes, from, ownId, 36);
  if (rated === undefined) return at;
  const { remaining, resetS } = rated.verdict;
  at = putText(bytes, at, nameLine);
  at = putNumber(bytes, at, remaining);
  at = putText(bytes, at, ';t=');
  at = putNumber(bytes, at, resetS);
  at = putText(bytes, at, '\r\nratelimit-remaining: ');
  at = putNumber(bytes, at, remaining);
  at = putText(bytes, at, '\r\nratelimit-reset: ');
  return putNumber(bytes, at, resetS);
}

/** ASCII only, like all our header lines. Returns the position after the last character. */
export function putText(bytes: Uint8Array, at: number, letters: string): number {
  for (let i = 0; i < letters.length; i++) bytes[at + i] = letters.charCodeAt(i);
  return at + letters.length;
}

/** A whole number, 0 or more. */
function putNumber(bytes: Uint8Array, at: number, value: number, base = 10): number {
  let digits = 1;
  for (let limit = base; value >= limit; limit *= base) digits++;
  let rest = value;
  for (let i = at + digits - 1; i >= at; i--) {
    const digit = rest % base;
    bytes[i] = digit < 10 ? 0x30 + digit : 0x57 + digit;
    rest = Math.floor(rest / base);
  }
  return at + digits;
}
