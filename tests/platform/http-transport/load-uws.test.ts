import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findUws, loadUws, requireDigest } from '#platform/http-transport/load-uws.js';
import { binaryDigests } from '#platform/http-transport/uws-digests.js';

test.skipIf(!findUws().ok)('C4: loads a native binding for this machine, which is a reviewed one', () => {
  const uws = loadUws();
  const name = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`;
  expect(binaryDigests).toHaveProperty([`${uws.binding}/${name}`]);
  expect(loadUws()).toBe(uws);
});

test('C4: rejects a file with one flipped bit, with its name and what to do', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'uws-'));
  const file = join(folder, 'uws_linux_x64_115.node');
  const bytes = Buffer.alloc(10_000, 7);
  const expected = createHash('sha256').update(bytes).digest('hex');
  await writeFile(file, bytes);
  requireDigest(file, expected);
  bytes[5_000] = 6;
  await writeFile(file, bytes);
  expect(() => requireDigest(file, expected)).toThrow(/uws_linux_x64_115\.node has sha256 .+ npm ci/);
  await rm(folder, { recursive: true });
});
