/**
 * Short-lived shared state: cached values, rate limits, presence, fan-out between instances. Redis at scale,
 * in process otherwise. It may lose everything at any time, so nothing may depend on it for correctness.
 * Every method rejects with `CacheUnavailable` within about a second when the cache is unavailable, and the
 * caller works without it.
 *
 * ```ts
 * await cache.set('presence:u1', 'instance-7', 30_000);
 * const used = await cache.increment('rate:u1', 60_000);
 * const stop = await cache.subscribe('push:instance-7', (message) => deliver(message));
 * ```
 */
export interface LiveCache {
  get(key: string): Promise<string | undefined>;
  /** Kept for `ttlMs` milliseconds (1 or more). */
  set(key: string, value: string, ttlMs: number): Promise<void>;
  delete(key: string): Promise<void>;
  /**
   * Adds one and returns the new count; the first increment starts a window of `ttlMs` after which the count
   * expires.
   */
  increment(key: string, ttlMs: number): Promise<number>;
  /** Delivers to all present subscribers, at most once and in the order of one publisher. */
  publish(channel: string, message: string): Promise<void>;
  /** Resolves when the subscription is active, with the function that ends it. `onMessage` must not throw. */
  subscribe(channel: string, onMessage: (message: string) => void): Promise<() => Promise<void>>;
  check(): Promise<void>;
  close(): Promise<void>;
}

/** The cache did not answer; a write may have had its effect. */
export class CacheUnavailable extends Error {
  override readonly name = 'CacheUnavailable';
  readonly retriable = true;
}
