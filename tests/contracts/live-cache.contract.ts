import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LiveCache } from '#platform/live-cache/live-cache.js';
import { until } from './until.js';

export interface LiveCacheUnderTest {
  /** Two handles on the same cache if it is shared, else the same one twice. */
  readonly one: LiveCache;
  readonly other: LiveCache;
  readonly runs: number;
  dispose(): Promise<void>;
}

export function liveCacheContract(adapter: string, start: () => Promise<LiveCacheUnderTest>): void {
  describe(`live cache contract: ${adapter}`, () => {
    let under: LiveCacheUnderTest;
    let cache: LiveCache;
    let names = 0;
    const name = () => `contract:${process.pid}:${Date.now()}:${names++}`;

    beforeAll(async () => {
      under = await start();
      cache = under.one;
    });
    afterAll(async () => {
      await under?.dispose();
    });

    test('returns what was set, to every client', async () => {
      const key = name();
      expect(await cache.get(key)).toBeUndefined();
      for (const value of ['', 'plain', 'Göteborg \u{1f697}\n\0', 'x'.repeat(1024 * 1024)]) {
        await cache.set(key, value, 60_000);
        expect(await under.other.get(key)).toBe(value);
      }
      await cache.delete(key);
      await cache.delete(key);
      expect(await under.other.get(key)).toBeUndefined();
    });

    test('expires a value after its time, and set restarts the time', async () => {
      const key = name();
      await cache.set(key, 'short', 40);
      await cache.set(key, 'long', 60_000);
      const witness = name();
      await cache.set(witness, 'short', 60);
      await until('expiry', async () => (await cache.get(witness)) === undefined);
      expect(await cache.get(key)).toBe('long');
    });

    test('counts without losing an increment, from both sides concurrently', async () => {
      const key = name();
      const counts = await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          (index % 2 ? under.one : under.other).increment(key, 60_000),
        ),
      );
      expect(counts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
      expect(await cache.get(key)).toBe('200');
    });

    test('a count expires with the window of its first increment; later ones do not extend it', async () => {
      const key = name();
      const began = Date.now();
      expect(await cache.increment(key, 2_000)).toBe(1);
      expect(await cache.increment(key, 60_000)).toBe(2);
      await until('the end of the window', async () => (await cache.get(key)) === undefined);
      expect(Date.now() - began).toBeGreaterThanOrEqual(1_950);
      expect(await cache.increment(key, 60_000)).toBe(1);
    });

    test('continues counting from a numeric value and rejects any other', async () => {
      const key = name();
      await cache.set(key, '41', 60_000);
      expect(await cache.increment(key, 60_000)).toBe(42);
      await cache.set(key, 'car', 60_000);
      await expect(cache.increment(key, 60_000)).rejects.toThrow(TypeError);
      expect(await cache.get(key)).toBe('car');
    });

    test('delivers every message to every subscriber of the channel, in order', async () => {
      const channel = name();
      const heard: string[][] = [[], [], []];
      const stops = await Promise.all([
        under.one.subscribe(channel, (message) => heard[0]!.push(message)),
        under.other.subscribe(channel, (message) => heard[1]!.push(message)),
        under.one.subscribe(channel, (message) => heard[2]!.push(message)),
        under.one.subscribe(`${channel}:other`, () => expect.fail('a message of another channel')),
      ]);
      const messages = Array.from({ length: 50 }, (_, index) => `${index} \u{1f697}`);
      for (const message of messages) await under.other.publish(channel, message);
      await until('the delivery', () => heard.every((list) => list.length === messages.length));
      expect(heard).toEqual([messages, messages, messages]);
      for (const stop of stops) await stop();
    });

    test('an ended subscription receives nothing more, others still do', async () => {
      const channel = name();
      const heard = { ended: 0, going: 0 };
      const end = await cache.subscribe(channel, () => {
        heard.ended += 1;
      });
      const endGoing = await cache.subscribe(channel, () => {
        heard.going += 1;
      });
      await end();
      await end();
      await cache.publish(channel, 'x');
      await until('the delivery', () => heard.going === 1);
      expect(heard.ended).toBe(0);
      await endGoing();
      const again = await cache.subscribe(channel, () => {
        heard.ended += 1;
      });
      await cache.publish(channel, 'y');
      await until('the delivery after a new subscription', () => heard.ended === 1);
      expect(heard.going).toBe(1);
      await again();
    });

    test('publishing without subscribers is not an error', async () => {
      await expect(cache.publish(name(), 'x')).resolves.toBeUndefined();
    });

    test.each([
      ['an empty key', () => cache.get('')],
      ['a key of 513 characters', () => cache.set('k'.repeat(513), 'v', 1)],
      ['a value above 1 MiB', () => cache.set('k', 'v'.repeat(1024 * 1024 + 1), 1)],
      ['a time of 0', () => cache.set('k', 'v', 0)],
      ['a negative time', () => cache.increment('k', -1)],
      ['half a millisecond', () => cache.set('k', 'v', 0.5)],
      ['NaN', () => cache.increment('k', Number.NaN)],
      ['an endless time', () => cache.set('k', 'v', Number.POSITIVE_INFINITY)],
      ['an empty channel', () => cache.publish('', 'v')],
      ['a message above 1 MiB', () => cache.publish('c', 'v'.repeat(1024 * 1024 + 1))],
    ])('rejects %s', async (_, call) => {
      await expect(call()).rejects.toThrow(RangeError);
    });

    test('check resolves while the cache works', async () => {
      await expect(cache.check()).resolves.toBeUndefined();
    });

    test('behaves as a Map under any sequence of calls', async () => {
      const key = fc.constantFrom('a', 'b', '__proto__', 'constructor');
      const call = fc.oneof(
        fc.record({ kind: fc.constant('set' as const), key, value: fc.oneof(fc.string(), fc.constant('7')) }),
        fc.record({ kind: fc.constant('get' as const), key }),
        fc.record({ kind: fc.constant('delete' as const), key }),
        fc.record({ kind: fc.constant('increment' as const), key }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(call, { maxLength: 30 }), async (calls) => {
          const prefix = name();
          const model = new Map<string, string>();
          for (const [index, step] of calls.entries()) {
            const side = index % 2 ? under.one : under.other;
            const key = `${prefix}:${step.key}`;
            let [found, expected]: unknown[] = [];
            switch (step.kind) {
              case 'set':
                await side.set(key, step.value, 60_000);
                model.set(key, step.value);
                break;
              case 'get':
                [found, expected] = [await side.get(key), model.get(key)];
                break;
              case 'delete':
                await side.delete(key);
                model.delete(key);
                break;
              case 'increment': {
                const before = model.get(key) ?? '0';
                const isCount = /^(0|-?[1-9]\d*)$/.test(before);
                expected = isCount ? Number(before) + 1 : 'TypeError';
                found = await side.increment(key, 60_000).catch((error: Error) => error.name);
                if (isCount) model.set(key, String(expected));
                break;
              }
            }
            expect(found).toEqual(expected);
          }
        }),
        { seed: 20261121, numRuns: under.runs },
      );
    });
  });
}
