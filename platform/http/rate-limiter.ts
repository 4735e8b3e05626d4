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
    fixed = `\r\nratelimit-policy: "${policy.name}";q=${policy.limit};w=${policy.windowS}\r\nratelimit-limit: ${policy.limit}`;
    fixedLines.set(policy, fixed);
  }
  return fixed;
}

/** Header lines: the draft's structured fields and the older three that clients in the field know. */
export function rateLines(policy: RatePolicy, { remaining, resetS }: RateVerdict): string {
  return `${fixedRateLines(policy)}\r\nratelimit: "${policy.name}";r=${remaining};t=${resetS}\r\nratelimit-remaining: ${remaining}\r\nratelimit-reset: ${resetS}`;
}
