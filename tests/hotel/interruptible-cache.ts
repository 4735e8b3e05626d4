import { CacheUnavailable, type LiveCache } from '#platform/live-cache/live-cache.js';

/** The same cache, which is unavailable while `outage.on` is true. */
export function interruptible(store: LiveCache, outage: { readonly on: boolean }): LiveCache {
  const guard =
    <Args extends readonly unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (outage.on) throw new CacheUnavailable('away');
      return call(...args);
    };
  return {
    get: guard((key) => store.get(key)),
    set: guard((key, value, ttlMs) => store.set(key, value, ttlMs)),
    delete: guard((key) => store.delete(key)),
    increment: guard((key, ttlMs) => store.increment(key, ttlMs)),
    publish: guard((channel, message) => store.publish(channel, message)),
    subscribe: guard((channel, onMessage) => store.subscribe(channel, onMessage)),
    check: guard(() => store.check()),
    close: () => store.close(),
  };
}
