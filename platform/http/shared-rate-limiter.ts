import type { LiveCache } from '#platform/live-cache/live-cache.js';
import type { RateLimiter } from './rate-limiter.js';

/**
 * One count for all instances, in fixed windows. A cache that is down limits nobody: the instance's own
 * limiter judges instead, so that neither is a lost cache an outage nor an open door.
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
