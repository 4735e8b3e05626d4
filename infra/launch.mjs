import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from './fault.mjs';
import { withServerLock } from './lock.mjs';
import { ourProcess, removePidFile, startTimeOf, writePidFile } from './pid-file.mjs';
import { logFolder } from './settings.mjs';
import { waitUntil } from './wait-until.mjs';

export const logOf = (name) => join(logFolder, `${name}.log`);

/** Starts a server in its own session without a terminal, so that it outlives the shell that started it. */
export async function launch(name, ports, { file, args, env, cwd }) {
  const logFile = logOf(name);
  if (existsSync(logFile)) renameSync(logFile, `${logFile}.before`);
  const out = openSync(logFile, 'a');
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', out, out],
  });
  closeSync(out);
  if (child.pid !== undefined) writePidFile(name, child.pid, ports);
  await new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(new Fault(`${name} cannot be started: ${error.message}.`)));
  });
  child.unref();
}

/**
 * Ends a server and every process it forked.
 * @param {NodeJS.Signals} signal the server's own way to stop; SIGKILL follows when `seconds` are over
 * @returns {Promise<'was not running' | 'stopped' | 'killed'>}
 */
export const stop = (name, signal, seconds) => withServerLock(name, () => stopNow(name, signal, seconds));

async function stopNow(name, signal, seconds) {
  const running = ourProcess(name);
  let outcome = 'was not running';
  if (running !== undefined) {
    const family = [running.pid, ...childrenOf(running.pid)].map((pid) => [pid, startTimeOf(pid)]);
    const living = () =>
      family.filter(([pid, startTime]) => startTime !== undefined && startTimeOf(pid) === startTime);
    const gone = () => {
      if (living().length > 0)
        throw new Fault(`${name} (pid ${running.pid}) does not end: look at ${logOf(name)}.`);
    };
    outcome = signal === 'SIGKILL' ? 'killed' : 'stopped';
    send(running.pid, signal);
    await waitUntil(gone, { seconds, everyMs: 50 }).catch(async () => {
      outcome = 'killed';
      for (const [pid] of living()) send(pid, 'SIGKILL');
      await waitUntil(gone, { seconds: 10, everyMs: 50 });
    });
  }
  removePidFile(name);
  return outcome;
}

function childrenOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
}

function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
