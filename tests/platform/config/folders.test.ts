import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureWritableFolder } from '#platform/config/folders.js';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import { openLocationStore } from '#platform/location-store/open-location-store.js';
import { openObjectStore } from '#platform/object-store/open-object-store.js';
import { openSql } from '#platform/sql/open-sql.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'data-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('creates a folder that does not exist', async () => {
  ensureWritableFolder(join(folder, 'a', 'b'), 'MERIDIAN_DATA');
  expect((await stat(join(folder, 'a', 'b'))).isDirectory()).toBe(true);
});

test('F41: reports an unavailable folder together with its setting', async () => {
  await writeFile(join(folder, 'file'), '');
  expect(() => ensureWritableFolder(join(folder, 'file', 'data'), 'MERIDIAN_DATA')).toThrow(
    /^MERIDIAN_DATA is the folder .+, which cannot be written \(ENOTDIR\)\. Create it/,
  );
});

test('F41: fails immediately if nothing can be created in the folder', () => {
  expect(() => ensureWritableFolder('/proc/nowhere/data', 'MERIDIAN_DATA')).toThrow(
    /^MERIDIAN_DATA is the folder/,
  );
});

test.each([
  ['the event log', openEventLog, 'embedded:/proc/nowhere/log'],
  ['the schema registry', openSchemaRegistry, 'embedded:/proc/nowhere/schemas'],
  ['the location store', openLocationStore, 'lmdb:/proc/nowhere/locations'],
  ['the object store', openObjectStore, 'dir:/proc/nowhere/objects'],
  ['PostgreSQL', openSql, 'embedded:/proc/nowhere/sql'],
] as const)('F41: %s rejects a folder in which nothing can be created', async (_, open, address) => {
  await expect((open as (address: string, deps: object) => Promise<unknown>)(address, {})).rejects.toThrow(
    '/proc/nowhere',
  );
});
