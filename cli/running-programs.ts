import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '#platform/config/folders.js';
import { lives, type ProcessIdentity, thisProcess } from '#platform/lmdb/process-identity.js';

/** A program that runs on a data folder, and where it listens. */
export interface RunningProgram extends ProcessIdentity {
  readonly program: string;
  readonly localUrl: string;
  readonly internalUrl: string;
}

const folderOf = (data: string): string => join(data, 'running');

/** Notes this program in its data folder; the result removes the note. */
export async function noteRunning(
  data: string,
  facts: Omit<RunningProgram, keyof ProcessIdentity>,
): Promise<() => Promise<void>> {
  const folder = folderOf(data);
  makeFolder(folder);
  const file = join(folder, `${process.pid}.json`);
  await writeFile(file, JSON.stringify({ ...thisProcess(), ...facts }));
  return () => rm(file, { force: true });
}

/** The programs that run on a data folder of this machine. Notes of killed ones do not count. */
export async function runningPrograms(data: string): Promise<readonly RunningProgram[]> {
  const folder = folderOf(data);
  const names = await readdir(folder).catch(() => []);
  const notes = await Promise.all(names.map((name) => readNote(join(folder, name))));
  return notes.filter((note) => note !== undefined).filter(lives);
}

async function readNote(file: string): Promise<RunningProgram | undefined> {
  try {
    const note = JSON.parse(await readFile(file, 'utf8')) as Partial<RunningProgram> | null;
    const { pid, startStamp, program, localUrl, internalUrl } = note ?? {};
    const texts = [startStamp, program, localUrl, internalUrl];
    return typeof pid === 'number' && texts.every((text) => typeof text === 'string')
      ? (note as RunningProgram)
      : undefined;
  } catch {
    // Half-written, or removed since.
    return undefined;
  }
}
