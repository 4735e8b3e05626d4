import { openSync, readSync } from 'node:fs';

const text = Buffer.alloc(64);
/** Linux counts the nanoseconds of each thread there; the file stays with the thread that opened it. */
const file = openCounter();

/**
 * Milliseconds of CPU of this thread. If the system does not count by thread, those of the process, including
 * compilers, garbage collection and workers.
 */
export function ownCpuMs(): number {
  if (file !== undefined) return readMs(file);
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const readMs = (counter: number): number =>
  Number.parseInt(text.toString('latin1', 0, readSync(counter, text, 0, text.length, 0)), 10) / 1e6;

function openCounter(): number | undefined {
  try {
    const counter = openSync('/proc/thread-self/schedstat', 'r');
    // A kernel that does not count always reports 0.
    return readMs(counter) > 0 ? counter : undefined;
  } catch {
    return undefined;
  }
}
