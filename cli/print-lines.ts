import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** True as long as there is a reader: after false, no more lines need to be written. */
export type PrintLine = (line: string) => Promise<boolean>;

/**
 * Prints lines for a reader that may be slow or stop reading, for example a pipe. Each line waits until the
 * reader has room: `console.log` would keep all waiting lines in memory, and lose them if there are too many.
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
