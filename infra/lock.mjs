import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from './fault.mjs';
import { startTimeOf } from './pid-file.mjs';
import { runFolder } from './settings.mjs';
import { waitUntil } from './wait-until.mjs';

const lockFile = join(runFolder, 'lock');

/** Two commands on one data folder take turns, else both would find a port free and start the same server. */
export async function withLock(work) {
  const own = `${process.pid}\n${startTimeOf(process.pid)}`;
  const take = () => {
    const [pid, startTime] = readOwner();
    if (pid !== undefined && startTimeOf(pid) !== startTime) rmSync(lockFile, { force: true });
    writeFileSync(lockFile, own, { flag: 'wx' });
  };
  await waitUntil(take, { seconds: 600 }).catch(() => {
    throw new Fault(`Another infra command (pid ${readOwner()[0]}) holds ${lockFile} for ten minutes: end it first.`);
  });
  const release = () => rmSync(lockFile, { force: true });
  process.once('exit', release);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

function readOwner() {
  try {
    return readFileSync(lockFile, 'utf8').split('\n');
  } catch {
    return [];
  }
}
