import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ensureWritableFolder } from '#platform/config/folders.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'data-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('a folder that does not exist is made', async () => {
  ensureWritableFolder(join(folder, 'a', 'b'), 'MERIDIAN_DATA');
  expect((await stat(join(folder, 'a', 'b'))).isDirectory()).toBe(true);
});

test('F41: a folder that cannot be had is named together with its setting', async () => {
  await writeFile(join(folder, 'file'), '');
  expect(() => ensureWritableFolder(join(folder, 'file', 'data'), 'MERIDIAN_DATA')).toThrow(
    /^MERIDIAN_DATA names the folder .+, which cannot be written \(ENOTDIR\); create it/,
  );
});

test('F41: a place where nothing can be made fails at once', () => {
  expect(() => ensureWritableFolder('/proc/nowhere/data', 'MERIDIAN_DATA')).toThrow(/^MERIDIAN_DATA names/);
});
