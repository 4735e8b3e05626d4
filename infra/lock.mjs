import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Fault } from './fault.mjs';
import { startTimeOf } from './pid-file.mjs';
import { runFolder } from './settings.mjs';
import { waitUntil } from './wait-until.mjs';

const held = new Set();
const waitSeconds = 600;
/** A file is written at once after it was made; one that stays empty was left by a power cut. */
const unnamedMsMax = 5_000;

process.once('exit', () => {
  for (const file of held) rmSync(file, { force: true });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));

/**
 * Does `work` while no other command (or other call in this one) holds the same lock file. The file names its
 * owner, so a lock whose owner died is taken over.
 */
export async function withLock(file, work) {
  mkdirSync(dirname(file), { recursive: true });
  const take = () => {
    const [pid, startTime] = ownerOf(file);
    const isDead = pid === undefined ? ageMs(file) > unnamedMsMax : startTimeOf(pid) !== startTime;
    if (isDead) rmSync(file, { force: true });
    writeFileSync(file, `${process.pid}\n${startTimeOf(process.pid)}`, { flag: 'wx' });
  };
  await waitUntil(take, {
    seconds: waitSeconds,
    giveUp(error) {
      if (error.code !== 'EEXIST') throw error;
    },
  }).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
    throw new Fault(
      `Another infra command (pid ${ownerOf(file)[0]}) has held ${file} for ${waitSeconds} s: end it first.`,
    );
  });
  held.add(file);
  try {
    return await work();
  } finally {
    held.delete(file);
    rmSync(file, { force: true });
  }
}

/** Commands on one server take turns; those on different servers do not wait for each other. */
export const withServerLock = (name, work) => withLock(join(runFolder, `${name}.lock`), work);

function ageMs(file) {
  return Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
}

function ownerOf(file) {
  try {
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.length === 2 ? lines : []; // One that is just being written counts as held.
  } catch {
    return [];
  }
}
