import type { LiveCache } from '#platform/live-cache/live-cache.js';
import type { RateLimiter } from '../rate-limiter.js';

/**
 * One count for all instances, in fixed windows. When the cache is down, the instance's own limiter decides
 * instead, so that a lost cache neither stops the service nor removes the limits.
 */
export function sharedRateLimiter(
  cache: LiveCache,
  fallback: RateLimiter,
  now: () => number = Date.now,
): RateLimiter {
  return {
    async take(key, policy) {
      const windowMs = policy.windowS * 1_000;
      const window = Math.floor(now() / windowMs);
      try {
        const used = await cache.increment(`rate:${key}:${window}`, windowMs);
        return {
          allowed: used <= policy.limit,
          remaining: Math.max(0, policy.limit - used),
          resetS: Math.ceil(((window + 1) * windowMs - now()) / 1_000),
        };
      } catch {
        return fallback.take(key, policy);
      }
    },
  };
}
