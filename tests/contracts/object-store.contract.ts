import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { InvalidObjectKey, type ObjectStore } from '#platform/object-store/object-store.js';

export interface ObjectStoreUnderTest {
  /** Two handles on the same objects, as two processes would have them. */
  readonly one: ObjectStore;
  readonly other: ObjectStore;
  /** Runs of the property test; a store behind a network gets fewer. */
  readonly runs: number;
  dispose(): Promise<void>;
}

/**
 * The requirements of every object store. Each test works under its own prefix, so that a shared bucket can
 * be used.
 */
export function objectStoreContract(adapter: string, start: () => Promise<ObjectStoreUnderTest>): void {
  describe(`object store contract: ${adapter}`, () => {
    let under: ObjectStoreUnderTest;
    let store: ObjectStore;
    let folders = 0;
    const folder = () => `contract-${process.pid}-${Date.now()}-${folders++}`;

    beforeAll(async () => {
      under = await start();
      store = under.one;
    });
    afterAll(async () => {
      await under?.dispose();
    });

    test('returns the bytes that were put, including empty, binary and large objects', async () => {
      const at = folder();
      const large = Uint8Array.from({ length: 3_000_000 }, (_, index) => (index * 31) & 255);
      for (const [name, bytes] of [
        ['empty', new Uint8Array(0)],
        ['every-byte', Uint8Array.from({ length: 256 }, (_, index) => index)],
        ['large', large],
      ] as const) {
        await store.put(`${at}/${name}`, bytes);
        expect({ name, same: sameBytes(await under.other.get(`${at}/${name}`), bytes) }).toEqual({
          name,
          same: true,
        });
      }
    });

    test('stores only the given view, not the buffer behind it', async () => {
      const at = folder();
      await store.put(`${at}/view`, new Uint8Array([9, 1, 2, 9]).subarray(1, 3));
      expect(sameBytes(await store.get(`${at}/view`), new Uint8Array([1, 2]))).toBe(true);
    });

    test('does not use the bytes after a put has resolved', async () => {
      const at = folder();
      const [put, once] = [new Uint8Array([1, 2, 3]), new Uint8Array([4, 5, 6])];
      await store.put(`${at}/put`, put);
      await store.putIfAbsent(`${at}/once`, once);
      put.fill(0);
      once.fill(0);
      expect(sameBytes(await store.get(`${at}/put`), new Uint8Array([1, 2, 3]))).toBe(true);
      expect(sameBytes(await store.get(`${at}/once`), new Uint8Array([4, 5, 6]))).toBe(true);
    });

    test('returns undefined for a key that was never put, also below an object', async () => {
      const at = folder();
      expect(await store.get(`${at}/none`)).toBeUndefined();
      await store.put(`${at}/object`, text('x'));
      expect(await store.get(`${at}/object/below`)).toBeUndefined();
      expect(await store.get(at)).toBeUndefined();
    });

    test('putIfAbsent writes once, and of many concurrent calls exactly one wins', async () => {
      const at = folder();
      const stores = [under.one, under.other];
      const won = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          stores[index % 2]!.putIfAbsent(`${at}/once`, text(`${index}`)),
        ),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await read(store, `${at}/once`)).toBe(String(won.indexOf(true)));
      expect(await store.putIfAbsent(`${at}/once`, text('late'))).toBe(false);
      expect(await read(store, `${at}/once`)).toBe(String(won.indexOf(true)));
    });

    test('many calls put the same new object at once, in folders that none of them finds', async () => {
      for (let round = 0; round < 60; round += 1) {
        const key = `${folder()}/new/once`;
        const stores = [under.one, under.other];
        const calls = Array.from({ length: 12 }, (_, index) => text(`${index}`));
        if (round % 2 === 0)
          await Promise.all(calls.map((bytes, index) => stores[index % 2]!.put(key, bytes)));
        else {
          const won = await Promise.all(
            calls.map((bytes, index) => stores[index % 2]!.putIfAbsent(key, bytes)),
          );
          expect(won.filter(Boolean)).toHaveLength(1);
        }
        expect(Number(await read(store, key))).toBeLessThan(12);
      }
    });

    test('a reader sees a complete object while it is replaced', async () => {
      const at = folder();
      const versions = [new Uint8Array(200_000).fill(1), new Uint8Array(100_000).fill(2)];
      await store.put(`${at}/changing`, versions[0]!);
      let writing = true;
      const writer = (async () => {
        for (let round = 0; round < 20; round += 1) await store.put(`${at}/changing`, versions[round % 2]!);
        writing = false;
      })();
      let reads = 0;
      while (writing) {
        const bytes = await under.other.get(`${at}/changing`);
        expect(versions.some((version) => sameBytes(bytes, version))).toBe(true);
        reads += 1;
      }
      await writer;
      expect(reads).toBeGreaterThan(0);
    });

    test('lists keys by prefix in lexical order', async () => {
      const at = folder();
      const names = ['b/c', 'b-c', 'b.c', 'b0', 'a/x/y/z', 'B', 'b/a', 'bb/deep'];
      for (const name of names) await store.put(`${at}/${name}`, text(name));
      const keys = names.map((name) => `${at}/${name}`).sort((a, b) => (a < b ? -1 : 1));
      expect(await listed(store, `${at}/`)).toEqual(keys);
      expect(await listed(store, at)).toEqual(keys);
      expect(await listed(store, `${at}/b`)).toEqual(keys.filter((key) => key.startsWith(`${at}/b`)));
      expect(await listed(store, `${at}/b/`)).toEqual([`${at}/b/a`, `${at}/b/c`]);
      expect(await listed(store, `${at}/none`)).toEqual([]);
      expect(await listed(store, `${at}/B`)).toEqual([`${at}/B`]);
    });

    test('lists more keys than fit on one page of S3', async () => {
      const at = folder();
      const keys = Array.from({ length: 1_050 }, (_, index) => `${at}/${String(index).padStart(5, '0')}`);
      const waiting = [...keys];
      const worker = async () => {
        for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) await store.put(key, text(key));
      };
      await Promise.all(Array.from({ length: 16 }, worker));
      expect(await listed(store, `${at}/`)).toEqual(keys);
    });

    test('deletes, also twice, and also keys that never existed', async () => {
      const at = folder();
      await store.put(`${at}/a/b/c`, text('x'));
      await store.put(`${at}/a/keep`, text('y'));
      await store.delete(`${at}/a/b/c`);
      await store.delete(`${at}/a/b/c`);
      await store.delete(`${at}/never/was`);
      expect(await store.get(`${at}/a/b/c`)).toBeUndefined();
      expect(await listed(store, `${at}/`)).toEqual([`${at}/a/keep`]);
      expect(await store.putIfAbsent(`${at}/a/b/c`, text('again'))).toBe(true);
    });

    test.each([
      '',
      '/',
      '/etc/passwd',
      '..',
      '../x',
      'a/../../x',
      'a/..',
      './a',
      'a//b',
      'a/',
      'a b',
      'a\\..\\b',
      'a\0b',
      'ä',
      'a%2e%2e/b',
      '~partial/x',
      `${'a'.repeat(201)}`,
      `${'abcdefgh/'.repeat(57)}a`,
    ])('rejects the key %j in every operation and changes nothing', async (key) => {
      await expect(store.put(key, text('x'))).rejects.toThrow(InvalidObjectKey);
      await expect(store.putIfAbsent(key, text('x'))).rejects.toThrow(InvalidObjectKey);
      await expect(store.get(key)).rejects.toThrow(InvalidObjectKey);
      await expect(store.delete(key)).rejects.toThrow(InvalidObjectKey);
    });

    test.each(['../', 'a/../b', '/', 'a//b', 'ä', 'a\0'])('rejects the prefix %j', async (prefix) => {
      await expect(listed(store, prefix)).rejects.toThrow(InvalidObjectKey);
    });

    test('accepts the longest allowed key', async () => {
      const at = folder();
      const key = `${at}/${`${'x'.repeat(99)}/`.repeat(5)}`.slice(0, 511).padEnd(512, 'y');
      await store.put(key, text('long'));
      expect(await read(under.other, key)).toBe('long');
      expect(await listed(store, `${at}/`)).toEqual([key]);
    });

    test('check resolves while the store works', async () => {
      await expect(store.check()).resolves.toBeUndefined();
    });

    test('behaves as a Map under any sequence of calls', async () => {
      const name = fc.constantFrom('a', 'b', 'c/d', 'c/e', 'c-d', 'f.g/h.i/j');
      const call = fc.oneof(
        fc.record({ kind: fc.constant('put' as const), name, bytes: fc.uint8Array({ maxLength: 300 }) }),
        fc.record({
          kind: fc.constant('putIfAbsent' as const),
          name,
          bytes: fc.uint8Array({ maxLength: 300 }),
        }),
        fc.record({ kind: fc.constant('delete' as const), name }),
        fc.record({ kind: fc.constant('get' as const), name }),
        fc.record({
          kind: fc.constant('list' as const),
          prefix: fc.constantFrom('', 'a', 'c', 'c/', 'f.g/h'),
        }),
      );
      const stores = [under.one, under.other];
      await fc.assert(
        fc.asyncProperty(fc.array(call, { maxLength: 25 }), async (calls) => {
          const at = folder();
          const model = new Map<string, Uint8Array>();
          for (const [index, step] of calls.entries()) {
            const side = stores[index % 2]!;
            let [found, expected]: unknown[] = [];
            switch (step.kind) {
              case 'put':
                await side.put(`${at}/${step.name}`, step.bytes);
                model.set(step.name, step.bytes);
                break;
              case 'putIfAbsent':
                expected = !model.has(step.name);
                found = await side.putIfAbsent(`${at}/${step.name}`, step.bytes);
                if (!model.has(step.name)) model.set(step.name, step.bytes);
                break;
              case 'delete':
                await side.delete(`${at}/${step.name}`);
                model.delete(step.name);
                break;
              case 'get': {
                const bytes = await side.get(`${at}/${step.name}`);
                [found, expected] = [
                  bytes && hex(bytes),
                  model.has(step.name) ? hex(model.get(step.name)!) : undefined,
                ];
                break;
              }
              case 'list':
                found = await listed(side, `${at}/${step.prefix}`);
                expected = [...model.keys()]
                  .filter((key) => key.startsWith(step.prefix))
                  .map((key) => `${at}/${key}`)
                  .sort((a, b) => (a < b ? -1 : 1));
                break;
            }
            expect(found).toEqual(expected);
          }
        }),
        { seed: 20261121, numRuns: under.runs },
      );
    });
  });
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

const text = (value: string) => new TextEncoder().encode(value);

async function read(store: ObjectStore, key: string): Promise<string | undefined> {
  const bytes = await store.get(key);
  return bytes && new TextDecoder().decode(bytes);
}

async function listed(store: ObjectStore, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.list(prefix)) keys.push(key);
  return keys;
}

function sameBytes(actual: Uint8Array | undefined, expected: Uint8Array): boolean {
  return actual !== undefined && Buffer.compare(actual, expected) === 0;
}
