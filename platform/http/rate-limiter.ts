import type { RatePolicy } from './http-types.js';

export interface RateVerdict {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Whole seconds until more is allowed. */
  readonly resetS: number;
}

/**
 * Counts what one key has used of a policy.
 *
 * ```ts
 * const verdict = await limiter.take('user:u1', { name: 'ingest', limit: 600, windowS: 60 });
 * ```
 */
export interface RateLimiter {
  take(key: string, policy: RatePolicy): RateVerdict | Promise<RateVerdict>;
}

/** The draft's structured fields and the older three that clients in the field know. */
export function rateHeaders(policy: RatePolicy, verdict: RateVerdict): Record<string, string> {
  return {
    'ratelimit-policy': `"${policy.name}";q=${policy.limit};w=${policy.windowS}`,
    ratelimit: `"${policy.name}";r=${verdict.remaining};t=${verdict.resetS}`,
    'ratelimit-limit': String(policy.limit),
    'ratelimit-remaining': String(verdict.remaining),
    'ratelimit-reset': String(verdict.resetS),
  };
}
