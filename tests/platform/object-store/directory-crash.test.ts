import { mkdtemp, readdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { diskFault } from '#platform/object-store/disk-fault.js';
import { ObjectStoreUnavailable } from '#platform/object-store/object-store.js';
import { openObjectStore } from '#platform/object-store/open-object-store.js';
import { killedWriter } from '../../contracts/killed-writer.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-objects-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Many large puts are in progress at every instant; object `n` is `30,000 + n` bytes of `n & 255`. */
const writer = `
  const { openObjectStore } = await import('#platform/object-store/open-object-store.js');
  const store = await openObjectStore('dir:' + process.argv[1]);
  let next = Number(process.argv[2]);
  const put = async () => {
    for (;;) {
      const n = next++;
      const bytes = new Uint8Array(30_000 + n).fill(n & 255);
      if (n % 2 === 0) await store.put('round/' + (n % 7) + '/' + n, bytes);
      else await store.putIfAbsent('round/' + (n % 7) + '/' + n, bytes);
      await store.put('changing', bytes);
      process.stdout.write(n + '\\n');
    }
  };
  await Promise.all(Array.from({ length: 8 }, put));
`;

const isWhole = (bytes: Uint8Array) =>
  Buffer.alloc(bytes.length, (bytes.length - 30_000) & 255).equals(bytes);

test('F1: after kill -9 every acknowledged object is there and none is half-written', async () => {
  const acknowledged = new Set<number>();
  for (let round = 0; round < 3; round += 1) {
    const lines = await killedWriter(writer, [folder, String(round * 1_000_000)], 60 + round * 17);
    for (const line of lines) acknowledged.add(Number(line));
    const store = await openObjectStore(`dir:${folder}`);
    const listed = new Set<number>();
    for await (const key of store.list('')) {
      const bytes = (await store.get(key))!;
      expect(isWhole(bytes), `${key} is whole`).toBe(true);
      if (key === 'changing') continue;
      const n = Number(key.split('/').at(-1));
      expect(bytes.length).toBe(30_000 + n);
      listed.add(n);
    }
    expect([...acknowledged].filter((n) => !listed.has(n))).toEqual([]);
    expect(await readdir(join(folder, '~partial'))).toEqual([]);
    for await (const key of store.list('round/')) await store.delete(key);
    acknowledged.clear();
  }
});

test('removes files of a dead process; files of a running one are kept and never listed', async () => {
  const partial = join(folder, '~partial');
  await (await openObjectStore(`dir:${folder}`)).close();
  const living = `${process.pid}-living`;
  await writeFile(join(partial, living), 'half');
  await writeFile(join(partial, '4194304-dead'), 'half'); // Above the greatest process id of Linux.
  await writeFile(join(partial, 'foreign'), 'half');
  const store = await openObjectStore(`dir:${folder}`);
  expect(await readdir(partial)).toEqual([living]);
  const keys: string[] = [];
  for await (const key of store.list('')) keys.push(key);
  expect(keys).toEqual([]);
});

test('a put that cannot be stored leaves nothing and names the key that is in the way', async () => {
  const store = await openObjectStore(`dir:${folder}`);
  await store.put('a', new Uint8Array(1));
  await expect(store.put('a/b', new Uint8Array(1))).rejects.toThrow('the folder of another key');
  await store.put('c/d', new Uint8Array(1));
  await expect(store.put('c', new Uint8Array(1))).rejects.toThrow('the folder of another key');
  expect(await readdir(join(folder, '~partial'))).toEqual([]);
});

test('puts and deletes below the same folder do not disturb each other', async () => {
  const store = await openObjectStore(`dir:${folder}`);
  let going = true;
  // Another process that removes every empty folder it meets, as a delete does.
  const remover = (async () => {
    while (going) for (const empty of ['deep/er', 'deep']) await rmdir(join(folder, empty)).catch(() => {});
  })();
  await Promise.all(
    Array.from({ length: 8 }, async (_, worker) => {
      for (let n = 0; n < 30; n += 1) {
        await store.put(`deep/er/${worker}`, new Uint8Array([n]));
        expect((await store.get(`deep/er/${worker}`))?.[0]).toBe(n);
        await store.delete(`deep/er/${worker}`);
      }
    }),
  );
  going = false;
  await remover;
  expect(await readdir(folder)).toEqual(['~partial']);
});

test('a disk error is a sentence that names the store', async () => {
  const store = await openObjectStore(`dir:${join(folder, 'store')}`);
  await rmdir(join(folder, 'store', '~partial'));
  await writeFile(join(folder, 'store', '~partial'), '');
  const sentence = new RegExp(`^The object store in ${folder}/store cannot be read or written \\(ENOTDIR`);
  for (const call of [
    () => store.put('a', new Uint8Array(1)),
    () => store.putIfAbsent('a', new Uint8Array(1)),
  ])
    await expect(call()).rejects.toThrow(sentence);
  await expect(openObjectStore(`dir:${join(folder, 'store', '~partial')}`)).rejects.toThrow(
    'cannot be read or written (ENOTDIR',
  );
});

test('a full disk is retriable, a folder of another owner is not', () => {
  const fault = (code: string) => Object.assign(new Error(`${code}: write`), { code });
  const full = diskFault(fault('ENOSPC'), '/srv/tiles');
  expect(full).toBeInstanceOf(ObjectStoreUnavailable);
  expect(String(full)).toContain('The object store in /srv/tiles cannot be read or written (ENOSPC: write)');
  const refused = diskFault(fault('EACCES'), '/srv/tiles');
  expect(refused).not.toBeInstanceOf(ObjectStoreUnavailable);
  expect(String(refused)).toContain('/srv/tiles cannot be read or written (EACCES: write)');
  for (const other of [new RangeError('too long'), fault('ERR_INVALID_ARG_TYPE')])
    expect(diskFault(other, '/srv/tiles')).toBe(other);
});
