import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningProgram, startProgram } from '../main-job/running-platform.js';
import { batchesInLog } from './read-back.js';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** What somebody writes who has the README of the package. */
const program = `
import { createLocationClient, type LocationClient } from 'meridian-location-client';
import { memoryBuffer } from 'meridian-location-client/fix-buffer';
import { encodeUpload, type Fix } from 'meridian-location-client/encode-upload';

const [url = '', token = ''] = process.argv.slice(2);
const refused: string[] = [];
const client: LocationClient = createLocationClient({
  url,
  token: () => token,
  buffer: memoryBuffer(100),
  onRefused: (reason) => refused.push(reason),
});
const fixes: Fix[] = Array.from({ length: 25 }, (_, index) => ({
  lat: 35.9 + index / 1e4,
  lng: 14.5,
  timestamp: Date.now() - 25_000 + index * 1_000,
  accuracy: 5,
}));
for (const fix of fixes) client.add(fix);
await client.flush();
console.log(JSON.stringify({ waiting: client.waiting, refused, bytes: encodeUpload(fixes).length }));
`;
const settings = { strict: true, module: 'nodenext', target: 'es2023', skipLibCheck: false };

describe('the package of the location client', () => {
  let folder: string;
  let ingest: RunningProgram;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'meridian-location-client-'));
    const pack = [join(repository, 'tools/location-client-package.js'), join(folder, 'packed')];
    const archive = execFileSync(process.execPath, pack, { encoding: 'utf8' }).trim();
    await writeFile(join(folder, 'package.json'), '{"type": "module"}');
    // It has no dependencies, so this asks no registry.
    const install = ['install', '--offline', '--no-audit', '--no-fund', archive];
    execFileSync('npm', install, { cwd: folder, stdio: 'ignore' });
    ingest = await startProgram('ingest', { data: join(folder, 'data') });
  });
  afterAll(async () => {
    await ingest?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const compile = async (text: string) => {
    await writeFile(join(folder, 'program.ts'), text);
    const types = ['node'];
    const typeRoots = [join(repository, 'node_modules/@types')];
    const options = { ...settings, types, typeRoots };
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, files: ['program.ts'] }),
    );
    const compiler = join(repository, 'node_modules/typescript-native/bin/tsc');
    const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
    return { status, stdout };
  };

  it('has no dependency, and neither sources nor maps', async () => {
    expect(await readdir(join(folder, 'node_modules'))).toEqual([
      '.package-lock.json',
      'meridian-location-client',
    ]);
    const files = await readdir(join(folder, 'node_modules/meridian-location-client'));
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'location-client.d.ts']));
    expect(files.filter((name) => /(?<!\.d)\.ts$|\.map$/.test(name))).toEqual([]);
  });

  it('has types that accept a program and refuse a wrong one', async () => {
    expect(await compile(program.replace('accuracy: 5', "accuracy: 'five'"))).toMatchObject({
      status: 2,
      stdout: expect.stringContaining('TS2322'),
    });
    expect(await compile(program)).toEqual({ status: 0, stdout: '' });
  });

  it('uploads to a running ingest', async () => {
    await compile(program);
    const token = await ingest.token('packaged', 'driver');
    const args = [join(folder, 'program.js'), ingest.url, token];
    const said = execFileSync(process.execPath, args, { encoding: 'utf8', cwd: folder });
    expect(JSON.parse(said)).toEqual({ waiting: 0, refused: [], bytes: expect.any(Number) });
    const env = { MERIDIAN_DATA: join(folder, 'data') };
    const stored = await batchesInLog(env, [
      { userId: 'packaged' } as Parameters<typeof batchesInLog>[1][number],
    ]);
    expect(stored).toHaveLength(2);
  });
});
