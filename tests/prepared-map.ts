import { cp, mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.js';

/**
 * Set by the set-up of the run, so that all workers use the same folder, or by CI for both of its runs.
 * Without our prefix, because programs reject settings that they do not know.
 */
const variable = 'TEST_MAP';
const madeWithinMs = 120_000;

/** Set-up of a run: a folder for what its tests build once, removed afterwards unless it was given. */
export async function setup(): Promise<() => Promise<void>> {
  if (process.env[variable] !== undefined) return () => Promise.resolve();
  const folder = await mkdtemp(join(tmpdir(), 'meridian-map-'));
  process.env[variable] = folder;
  return () => rm(folder, { recursive: true, force: true });
}

/**
 * A path that the first of a run to need it makes, and that the others wait for. Undefined without a set-up,
 * as in the run of a mutant.
 */
export async function madeOnce(
  name: string,
  make: (path: string) => Promise<void>,
): Promise<string | undefined> {
  const folder = process.env[variable];
  if (folder === undefined) return undefined;
  const made = join(folder, name);
  if (!(await isThere(made))) {
    // The process that creates the folder makes it.
    const making = join(folder, `${name}-making`);
    const mine = await mkdir(making).then(
      () => true,
      () => false,
    );
    if (mine) {
      await make(join(making, name));
      await rename(join(making, name), made);
    }
    await eventually(() => stat(made), { deadlineMs: madeWithinMs, everyMs: 100 });
  }
  return made;
}

/**
 * Puts the sample map into an empty data folder, so that a program that starts there need not build it: the
 * run builds it once with `build`, which gets a data folder. Does nothing if there is a map already, or if
 * objects are stored elsewhere.
 */
export async function layPreparedMap(data: string, build: (data: string) => Promise<void>): Promise<void> {
  const objects = join(data, 'objects');
  if (process.env['OBJECTS'] !== undefined || (await isThere(objects))) return;
  const made = await madeOnce('map', build);
  if (made === undefined) return;
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
