import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import * as limits from '#api/http/limits.js';
import { CacheUnavailable, type LiveCache } from '#platform/live-cache/live-cache.js';
import { MemoryLiveCache } from '#platform/live-cache/memory-live-cache.js';
import { openLiveCache } from '#platform/live-cache/open-live-cache.js';
import { instanceOn, keyOf, presenceCases } from './presence-cases.js';

presenceCases('in process', async () => {
  const cache = await openLiveCache('memory:');
  return { one: cache, other: cache, dispose: () => cache.close() };
});

/** A cache that can become unavailable, and that records how many calls were in flight at once. */
function cutOff(cache: LiveCache) {
  const state = { away: false, sets: 0, under: 0, underMax: 0 };
  const through = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    state.under += 1;
    state.underMax = Math.max(state.underMax, state.under);
    // Like over a network: the response arrives in a later turn.
    await new Promise(setImmediate);
    state.under -= 1;
    if (state.away) throw new CacheUnavailable('The wire is cut.');
    return call();
  };
  return {
    state,
    cache: {
      get: (key) => through(() => cache.get(key)),
      set: (key, value, ttlMs) => {
        state.sets += 1;
        return through(() => cache.set(key, value, ttlMs));
      },
      delete: (key) => through(() => cache.delete(key)),
      publish: (to, message) => through(() => cache.publish(to, message)),
      subscribe: (to, onMessage) => through(() => cache.subscribe(to, onMessage)),
    } satisfies Parameters<typeof instanceOn>[0],
  };
}

const dropped = async ({ metrics }: ReturnType<typeof instanceOn>): Promise<number> =>
  Number(/^presence_calls_dropped_total (\d+)$/m.exec((await metrics.scrape()).text)?.[1]);

const wordOf = (here: readonly string[]): string => JSON.stringify({ instance: 'x', connected: 1, here });

describe('presence over time', () => {
  test('is refreshed before it expires, and expires when no instance refreshes it', async () => {
    let nowMs = 0;
    const cache = MemoryLiveCache.withDefaults(() => nowMs);
    const [living, dead] = [instanceOn(cache), instanceOn(cache)];
    for (const { presence } of [living, dead]) {
      presence.came(`${presence === living.presence}`);
      await presence.tick();
    }
    await living.presence.tick();
    expect(living.presence.connected).toBe(2);
    for (let tick = 0; tick < 300; tick += 1) {
      nowMs += limits.presenceTickMs;
      await living.presence.tick();
      expect(await cache.get(keyOf('true'))).toBeDefined();
    }
    expect(await cache.get(keyOf('false'))).toBeUndefined();
    expect(living.presence.connected).toBe(1);
  });

  test('a cache outage blocks no request, and the current state is written after it', async () => {
    const cache = await openLiveCache('memory:');
    const wire = cutOff(cache);
    const one = instanceOn(wire.cache);
    const [stays, goes] = [randomUUID(), randomUUID()];
    one.presence.came(goes);
    await one.presence.tick();
    wire.state.away = true;
    one.presence.came(stays);
    one.presence.left(goes);
    await one.presence.tick();
    expect(one.presence.connected).toBe(1);
    expect(await dropped(one), 'the removal and the write').toBe(2);
    wire.state.away = false;
    await one.presence.tick();
    expect(await cache.get(keyOf(stays))).toBeDefined();
    expect(await cache.get(keyOf(goes)), 'left to its time').toBeDefined();
  });

  test('an instance that started without the cache receives the others once it is available', async () => {
    const cache = await openLiveCache('memory:');
    const wire = cutOff(cache);
    wire.state.away = true;
    const [one, other] = [instanceOn(wire.cache), instanceOn(cache)];
    await one.presence.tick();
    wire.state.away = false;
    await one.presence.tick();
    const id = randomUUID();
    other.presence.came(id);
    await other.presence.tick();
    expect(one.elsewhere).toEqual([id]);
  });

  test('refreshes of many navigations are bounded in number and finish within the interval', async () => {
    const wire = cutOff(await openLiveCache('memory:'));
    const one = instanceOn(wire.cache);
    const crowd = 2 * limits.presenceWritesPerTickMax + 1;
    for (let count = 0; count < crowd; count += 1) one.presence.came(`n${count}`);
    const written = [];
    for (let tick = 0; tick < 4; tick += 1) {
      const before = wire.state.sets;
      await one.presence.tick();
      written.push(wire.state.sets - before);
    }
    expect(written).toEqual([limits.presenceWritesPerTickMax, limits.presenceWritesPerTickMax, 1, 0]);
    expect(wire.state.underMax).toBe(limits.presenceCallsMax);
    const ticks = limits.presenceRefreshMs / limits.presenceTickMs;
    expect(ticks * limits.presenceWritesPerTickMax).toBeGreaterThanOrEqual(limits.navigationsMax);
    expect(3 * limits.presenceRefreshMs).toBeLessThanOrEqual(limits.presenceTtlMs);
  });

  test.each([
    ['no JSON', 'no JSON'],
    ['nothing', 'null'],
    ['a number', '7'],
    ['an empty one', '{}'],
    ['a count below 0', '{"instance":"x","connected":-1,"here":[]}'],
    ['a count without end', '{"instance":"x","connected":1e99,"here":[]}'],
    ['no name', '{"instance":"","connected":1,"here":[]}'],
    ['a number for a navigation', '{"instance":"x","connected":1,"here":[7]}'],
    ['a text for a list', '{"instance":"x","connected":1,"here":"n1"}'],
    ['a list beyond the limit', wordOf(Array(limits.presenceWritesPerTickMax + 1).fill('n'))],
    ['a long name of a navigation', wordOf(['n'.repeat(65)])],
  ])('ignores a message that no instance would send: %s', async (_, word) => {
    const cache = await openLiveCache('memory:');
    const one = instanceOn(cache);
    await one.presence.tick();
    await cache.publish('nav:presence', word);
    await cache.publish('nav:presence', '{"instance":"y","connected":5,"here":["good"]}');
    await one.presence.tick();
    expect(one.presence.connected).toBe(5);
    expect(one.elsewhere).toEqual(['good']);
  });
});
