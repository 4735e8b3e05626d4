import { lmdbFileState } from '../lmdb/lmdb-file-state.js';
import { LogUnavailable } from './event-log.js';

/**
 * How the log's file may be opened: `newest` as it is, `flushed` by its last flushed transaction. Throws a
 * `LogUnavailable` that is not retriable for a file that is cut off.
 */
export function wholeLogFile(folder: string): 'newest' | 'flushed' {
  const state = lmdbFileState(folder);
  if (typeof state === 'string') return state;
  const message =
    `The event log in ${folder} is damaged: ${state.damage}. ` +
    'Restore the folder from a copy, or move it away to start with an empty log.';
  throw new LogUnavailable(message, { retriable: false });
}
