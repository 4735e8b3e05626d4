import { cp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginFolder } from '#cli/backup/backup-folder.js';
import { checkContents, checkUsable } from '#cli/backup/check-backup.js';
import { encodeManifest, type Manifest, readManifest } from '#cli/backup/manifest.js';
import { restoreBackup } from '#cli/backup/restore-backup.js';
import { CommandFailed, exitCode } from '#cli/exit.js';
import { openSmallPlatform, type SmallPlatform } from './small-platform.js';

let platform: SmallPlatform;
let manifest: Manifest;
let copies = 0;

beforeAll(async () => {
  platform = await openSmallPlatform();
  manifest = await platform.backUp('whole');
});
afterAll(() => platform?.close());

/** A copy of the whole backup, to be damaged. */
async function another(): Promise<string> {
  const folder = join(platform.root, `backup-${++copies}`);
  await cp(join(platform.root, 'whole'), folder, { recursive: true });
  return folder;
}

/** As the command does it; resolves with the refusal, after looking that nothing is left. */
async function refusal(backup: string, installation?: string): Promise<CommandFailed> {
  const target = join(platform.root, 'restored');
  const restored = async (): Promise<void> => {
    const read = await readManifest(backup);
    await checkUsable(backup, read, installation);
    const begun = await beginFolder(target, 'restore');
    if (typeof begun === 'string') throw new CommandFailed(begun);
    const calm = { signal: new AbortController().signal, onBytes: () => {} };
    try {
      await restoreBackup(backup, read, begun.partial, calm);
      await begun.finish();
    } catch (error) {
      await begun.giveUp();
      throw error;
    }
  };
  const error: unknown = await restored().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  const left = (await readdir(platform.root)).filter((name) => name.includes('restored'));
  await rm(target, { recursive: true, force: true });
  expect(error).toBeInstanceOf(CommandFailed);
  expect(left).toEqual([]);
  const { message } = error as CommandFailed;
  expect(message).toMatch(/^[^\n]+\. Nothing was restored\.$/);
  return error as CommandFailed;
}

async function rewritten(change: (manifest: Manifest) => object): Promise<string> {
  const backup = await another();
  const changed = encodeManifest({ ...manifest, ...change(manifest) });
  await writeFile(join(backup, 'backup.manifest'), changed);
  return backup;
}

describe('a backup that is not whole is refused whole', () => {
  it('no backup at all, or one that was never finished', async () => {
    const backup = await another();
    await rm(join(backup, 'backup.manifest'));
    expect(await refusal(backup)).toMatchObject({ code: exitCode.notFound });
    expect(await refusal(join(platform.root, 'nowhere'))).toMatchObject({ code: exitCode.notFound });
  });

  it('any byte of any file is another', { timeout: 60_000 }, async () => {
    const paths = [
      ...manifest.files.filter(({ bytes }) => bytes > 0).map(({ path }) => path),
      'backup.manifest',
    ];
    for (const path of paths) {
      for (const where of [0, 0.37, 0.999]) {
        const backup = await another();
        const bytes = await readFile(join(backup, path));
        const at = Math.floor(where * bytes.length);
        bytes[at]! ^= 1 << (at % 8);
        await writeFile(join(backup, path), bytes);
        const { message } = await refusal(backup);
        expect(message, path).toMatch(/damaged|is a backup in format/);
        await rm(backup, { recursive: true });
      }
    }
  });

  it('a file is cut short, longer or missing', async () => {
    const [file] = manifest.files;
    const shorter = await another();
    await truncate(join(shorter, file!.path), file!.bytes - 1);
    expect((await refusal(shorter)).message).toContain('cut short');
    const longer = await another();
    await writeFile(join(longer, file!.path), Buffer.alloc(file!.bytes + 1));
    expect((await refusal(longer)).message).toContain('cut short or changed');
    const missing = await another();
    await rm(join(missing, file!.path));
    expect((await refusal(missing)).message).toContain('is missing');
    const cut = await another();
    await truncate(join(cut, 'backup.manifest'), 300);
    expect((await refusal(cut)).message).toContain('damaged');
  });

  it('it is of a newer version, another installation, or another kind of database', async () => {
    const newer = await rewritten(({ data }) => ({ data: data + 1 }));
    expect((await refusal(newer)).message).toContain('use a newer one');
    const format = await another();
    const text = await readFile(join(format, 'backup.manifest'), 'utf8');
    await writeFile(join(format, 'backup.manifest'), text.replace('meridian-backup 1', 'meridian-backup 2'));
    expect((await refusal(format)).message).toContain('in format 2');
    const { message } = await refusal(await another(), 'another');
    expect(message).toContain('is of the installation 00000000');
    expect((await refusal(await rewritten(() => ({ postgres: '3' })))).message).toContain('PostgreSQL 3');
    const elsewhere = await rewritten(() => ({ postgres: '3', platform: 'vax-32' }));
    expect((await refusal(elsewhere)).message).toContain('of vax-32');
  });

  it('it names a file outside of itself', async () => {
    for (const path of ['../outside', '/etc/hostname', 'log/../../outside', 'log//x'])
      expect(
        (await refusal(await rewritten(({ files }) => ({ files: [{ ...files[0]!, path }] })))).message,
      ).toContain('outside');
  });
});

describe('a folder that a backup or a restore begins', () => {
  it('is refused if something is there, or nothing can be', async () => {
    expect(await beginFolder(join(platform.root, 'whole'), 'restore')).toContain('is not empty');
    expect(await beginFolder(join(platform.data, 'guest.key'), 'restore')).toContain('is a file');
    expect(await beginFolder(join(platform.root, 'no', 'parent'), 'backup')).toContain('There is no folder');
  });

  it('has what died beside it removed, and leaves what others make', async () => {
    const begin = () => beginFolder(join(platform.root, 'next'), 'backup');
    const dead = join(platform.root, '.next.backup-4194305');
    await writeFile(dead, '');
    const mine = join(platform.root, '.next.backup-1');
    await writeFile(mine, '');
    const begun = await begin();
    expect((await readdir(platform.root)).filter((name) => name.startsWith('.next'))).toEqual([
      '.next.backup-1',
      `.next.backup-${process.pid}`,
    ]);
    if (typeof begun !== 'string') await begun.giveUp();
    await rm(mine);
  });
});

it('the whole backup passes: every byte is compared', async () => {
  const folder = join(platform.root, 'whole');
  let read = 0;
  await checkUsable(folder, await readManifest(folder), manifest.installation);
  await checkContents(folder, manifest, (bytes) => {
    read = bytes;
  });
  expect(read).toBe(manifest.files.reduce((sum, { bytes }) => sum + bytes, 0));
  expect(manifest.files.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      'guest.key',
      'locations/data.mdb',
      'log/data.mdb',
      'objects/releases/current',
      'objects/state/traffic/00000.snapshot',
      'psp/record.ndjson',
      'schemas/data.mdb',
    ]),
  );
});
