import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { customerMigrations } from '#platform/api-keys/tables.js';
import { isOrphan, readJournal, UsageJournal } from '#platform/api-keys/usage-journal.js';
import { addUsage, usageBetween } from '#platform/api-keys/usage-store.js';
import { openDatabase } from '../../shared-postgres.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-journal-'));
});
afterEach(() => rm(folder, { recursive: true }));

function someCounts(): UsageJournal {
  const journal = new UsageJournal(folder);
  const longest = journal.slot('c'.repeat(40), 20_000, 'locations');
  journal.slot('never-answered', 20_000, 'map');
  const other = journal.slot('b', 20_001, 'navigation');
  for (let index = 0; index < 300; index += 1) journal.add(longest);
  journal.add(other);
  return journal;
}
const expected = [
  { customerId: 'c'.repeat(40), day: 20_000, family: 'locations', requests: 300 },
  { customerId: 'b', day: 20_001, family: 'navigation', requests: 1 },
];

test('a journal says what was counted, without having been closed', () => {
  const journal = someCounts();
  expect(readJournal(journal.path)).toEqual({ sourceId: journal.sourceId, counts: expected, damaged: 0 });
  journal.close();
});

test('a damaged count is left out and reported; a damaged head is a sentence', () => {
  const journal = someCounts();
  const bytes = readFileSync(journal.path);
  for (let at = 64; at < 128; at += 1) {
    const changed = Buffer.from(bytes);
    changed[at]! ^= 0x10;
    writeFileSync(journal.path, changed);
    expect(readJournal(journal.path)).toMatchObject({ counts: expected.slice(1), damaged: 1 });
  }
  for (let at = 0; at < 64; at += 1) {
    const changed = Buffer.from(bytes);
    changed[at]! ^= 0x10;
    writeFileSync(journal.path, changed);
    expect(() => readJournal(journal.path)).toThrow('is not a journal of usage');
  }
  writeFileSync(journal.path, bytes);
  appendFileSync(journal.path, 'torn');
  expect(readJournal(journal.path)).toMatchObject({ counts: expected, damaged: 1 });
  journal.close();
});

test('a journal belongs to its process while it lives, and to another host for a day', async () => {
  const journal = someCounts();
  const now = Date.now();
  const [name] = (await readdir(folder)) as [string];
  expect(name).toBe(basename(journal.path));
  expect(isOrphan(name, now, now)).toBe(false);
  const [source, host, , stamp] = name.split('~');
  expect(isOrphan([source, host, 2 ** 22 + 1, stamp].join('~'), now, now)).toBe(true);
  expect(isOrphan([source, host, process.pid, '1.usage'].join('~'), now, now)).toBe(true);
  const elsewhere = [source, 'another-host', process.pid, stamp].join('~');
  expect(isOrphan(elsewhere, now, now + 24 * 3_600_000)).toBe(false);
  expect(isOrphan(elsewhere, now, now + 26 * 3_600_000)).toBe(true);
  journal.close();
});

test('a journal adds each request once, however often and by whomever it is read', async () => {
  const { sql, dispose } = await openDatabase('customers', customerMigrations);
  try {
    const total = async () =>
      (await usageBetween(sql, '2024-01-01', '2026-01-01')).map(({ requests }) => requests);
    const counts = (requests: number) => [{ customerId: 'a', day: 20_000, family: 'map' as const, requests }];
    const s = { sourceId: 's', exists: () => true };
    await addUsage(sql, s, counts(5), false);
    await Promise.all([1, 2, 3, 4].map(() => addUsage(sql, s, counts(9), false)));
    expect(await total()).toEqual([9]);
    // An older reading that arrives later.
    await addUsage(sql, s, counts(7), false);
    expect(await total()).toEqual([9]);
    await Promise.all([1, 2, 3, 4].map(() => addUsage(sql, s, counts(12), true)));
    await addUsage(sql, s, counts(12), true);
    expect(await total()).toEqual([12]);
    await addUsage(sql, { ...s, sourceId: 't' }, counts(1), true);
    expect(await total()).toEqual([13]);
  } finally {
    await dispose();
  }
});
