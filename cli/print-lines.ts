import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** True as long as somebody reads: after false nothing more needs to be written. */
export type PrintLine = (line: string) => Promise<boolean>;

/**
 * Prints lines for a reader that may be slower than we are, or stop reading, as the end of a pipe does. Each
 * line waits until the reader has room: `console.log` would keep all waiting lines in memory, and lose them
 * when they grow too large.
 */
export function linesTo(out: Writable): PrintLine {
  let failure: NodeJS.ErrnoException | undefined;
  out.on('error', (error) => {
    failure ??= error;
  });
  return async (line) => {
    if (failure === undefined && !out.write(`${line}\n`))
      await once(out, 'drain').catch((error: Error) => {
        failure ??= error;
      });
    if (failure === undefined) return true;
    if (failure.code === 'EPIPE') return false;
    throw failure;
  };
}
