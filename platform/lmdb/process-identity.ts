import { readFileSync } from 'node:fs';

/** A process, distinguishable from a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startStamp: string;
}

export const thisProcess = (): ProcessIdentity => ({
  pid: process.pid,
  startStamp: startStampOf(process.pid),
});

export const lives = ({ pid, startStamp }: ProcessIdentity): boolean =>
  runs(pid) && startStampOf(pid) === startStamp;

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * When the process with this number started, where the system reports it (Linux: clock ticks since boot). A
 * reused process id, as in every restarted container, is then not confused with the previous process. A
 * zombie process has no stamp.
 */
function startStampOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? '' : (fields[18] ?? '');
  } catch {
    return '';
  }
}
