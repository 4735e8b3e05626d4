import type { RatePolicy } from './http-types.js';

export interface RateVerdict {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Whole seconds until more is allowed. */
  readonly resetS: number;
}

/**
 * Counts the use of a policy by each key.
 *
 * ```ts
 * const verdict = await limiter.take('user:u1', { name: 'ingest', limit: 600, windowS: 60 });
 * ```
 */
export interface RateLimiter {
  take(key: string, policy: RatePolicy): RateVerdict | Promise<RateVerdict>;
}

const fixedLines = new WeakMap<RatePolicy, string>();

/** Header lines that a policy always has, each with a line break in front. */
export function fixedRateLines(policy: RatePolicy): string {
  let fixed = fixedLines.get(policy);
  if (fixed === undefined) {
    fixed = `\r\nratelimit-policy: ${policyItem(policy)}\r\nratelimit-limit: ${policy.limit}`;
    fixedLines.set(policy, fixed);
  }
  return fixed;
}

const policyItem = ({ name, limit, windowS }: RatePolicy): string =>
  `"${name}";q=${limit};w=${Math.ceil(windowS)}`;

interface Rated {
  readonly policy: RatePolicy;
  readonly verdict: RateVerdict;
}

/** Lines of two policies at once; the older three fields, which have room for one, describe the first. */
export function bothRateLines(rated: Rated, beside: Rated): string {
  const items = [rated, beside].map(
    ({ policy, verdict }) => `"${policy.name}";r=${verdict.remaining};t=${verdict.resetS}`,
  );
  const { policy, verdict } = rated;
  return [
    `\r\nratelimit-policy: ${policyItem(policy)}, ${policyItem(beside.policy)}`,
    `ratelimit-limit: ${policy.limit}`,
    `ratelimit: ${items.join(', ')}`,
    `ratelimit-remaining: ${verdict.remaining}`,
    `ratelimit-reset: ${verdict.resetS}`,
  ].join('\r\n');
}

/** Header lines: the draft's structured fields and the older three that clients in the field know. */
export function rateLines(policy: RatePolicy, { remaining, resetS }: RateVerdict): string {
  return `${fixedRateLines(policy)}\r\nratelimit: "${policy.name}";r=${remaining};t=${resetS}\r\nratelimit-remaining: ${remaining}\r\nratelimit-reset: ${resetS}`;
}
