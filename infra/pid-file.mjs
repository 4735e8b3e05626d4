import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runFolder } from './settings.mjs';

const pidFile = (name) => join(runFolder, `${name}.pid`);

/**
 * When the process began, in clock ticks since boot; undefined when it is gone or a zombie. A process id is
 * reused sooner or later, the pair of id and start time is not, so the pair is what says "this is ours".
 */
export function startTimeOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // proc(5): field 3 is the state, 22 the start time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/** Three lines: process id, start time, ports. The first alone serves `kill $(head -1 run/kafka.pid)`. */
export function writePidFile(name, pid, ports) {
  writeFileSync(pidFile(name), `${pid}\n${startTimeOf(pid) ?? 'gone'}\n${ports.join(' ')}\n`);
}

export const removePidFile = (name) => rmSync(pidFile(name), { force: true });

/** @returns {{pid: number, ports: string} | undefined} the running process of a server, never a stranger's */
export function ourProcess(name) {
  let lines;
  try {
    lines = readFileSync(pidFile(name), 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const pid = Number(lines[0]);
  if (!(pid > 1) || startTimeOf(pid) !== lines[1]) return undefined;
  return { pid, ports: lines[2] ?? '' };
}
