import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { followLimits } from './limits.js';

/**
 * The change files cannot be applied: some are missing, or are too late. The message says which and what to
 * do.
 */
export class ChangesMissing extends Error {
  override readonly name = 'ChangesMissing';
}

const isChange = (name: string): boolean => /^[^.].*\.osc(\.gz)?$/.test(name);
const isSequenceFolder = (name: string): boolean => /^\d{3}$/.test(name);
/** Of `000/001/234.osc.gz`. */
const foldersDeep = 2;

/**
 * Change files in a folder, and below it as OpenStreetMap's replication lays them (`000/001/234.osc.gz`), in
 * the order of their names, in which numbers count as numbers. Paths relative to the folder, with `/`.
 */
export async function listChanges(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  await listBelow(folder, '', 0, found);
  return found.sort(byName);
}

async function listBelow(folder: string, below: string, depth: number, found: string[]): Promise<void> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch((cause: unknown) => {
    throw new ChangesMissing(`${join(folder, below)}: cannot be listed (${(cause as Error).message})`, {
      cause,
    });
  });
  for (const entry of entries) {
    const path = `${below}${entry.name}`;
    if (entry.isDirectory()) {
      if (depth < foldersDeep && isSequenceFolder(entry.name))
        await listBelow(folder, `${path}/`, depth + 1, found);
    } else if (isChange(entry.name)) found.push(path);
    if (found.length > followLimits.filesMax)
      throw new ChangesMissing(
        `${folder}: more than ${followLimits.filesMax} change files; ` +
          'begin with a newer extract and the changes since',
      );
  }
}

/** Texts by code units, runs of digits by value: `9.osc` comes before `10.osc`. */
export function byName(a: string, b: string): number {
  const [partsA, partsB] = [partsOf(a), partsOf(b)];
  for (const [i, part] of partsA.entries()) {
    const other = partsB[i];
    if (other === undefined) return 1;
    if (part === other) continue;
    const difference = /^\d/.test(part) && /^\d/.test(other) ? Number(part) - Number(other) : 0;
    return difference !== 0 ? difference : part < other ? -1 : 1;
  }
  return partsA.length - partsB.length;
}

const partsOf = (name: string): readonly string[] => name.match(/\d+|\D+/g) ?? [];

/** The number of a file in a series, if its name is a number; else undefined. */
export function numberInSeries(name: string): number | undefined {
  const digits = /^(\d{3}\/\d{3}\/\d{3}|\d{1,15})\.osc(\.gz)?$/.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits.replaceAll('/', ''));
}
