import { cp, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.js';

/**
 * Set by the set-up of the run, so that all workers use the same folder. Without our prefix, because programs
 * reject settings that they do not know.
 */
const variable = 'TEST_MAP';
const builtWithinMs = 120_000;

/**
 * Set-up of a run: a folder for the map that `layPreparedMap` builds when a test first needs it, removed
 * afterwards.
 */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-map-'));
  process.env[variable] = folder;
  return () => rm(folder, { recursive: true, force: true });
}

/**
 * Puts the sample map into an empty data folder, so that a program that starts there need not build it: the
 * run builds it once with `build`, which gets a data folder. Does nothing if there is a map already, or if
 * objects are stored elsewhere.
 */
export async function layPreparedMap(data: string, build: (data: string) => Promise<void>): Promise<void> {
  const folder = process.env[variable];
  const objects = join(data, 'objects');
  if (folder === undefined || process.env['OBJECTS'] !== undefined || (await isThere(objects))) return;
  const made = join(folder, 'made');
  if (!(await isThere(made))) {
    // The process that creates the folder builds; the others wait for the finished map.
    const mine = await mkdir(join(folder, 'making')).then(
      () => true,
      () => false,
    );
    if (mine) {
      await build(join(folder, 'making'));
      await rename(join(folder, 'making'), made);
    }
    await eventually(() => stat(made), { deadlineMs: builtWithinMs, everyMs: 100 });
  }
  await cp(join(made, 'map.json'), join(data, 'map.json'));
  // In one step, because two programs may start in the same folder at the same time.
  const copy = await mkdtemp(join(data, 'objects-'));
  await cp(join(made, 'objects'), copy, { recursive: true });
  await rename(copy, objects).catch(() => rm(copy, { recursive: true }));
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
