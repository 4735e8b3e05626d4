import { LogUnavailable } from './event-log.js';
import { type LogFiles, writeLog } from './log-files.js';

const KIB = 1024;
/**
 * An append rewrites the path to a leaf in each partition that it writes to, so a few records need many
 * pages.
 */
const BYTES_MIN = 64 * KIB;
const BYTES_MIN_AFTER_FAILURE = 256 * KIB;
/** Two of them fill a page, so the pages need not be adjacent. */
const VALUE = Buffer.alloc(1_900);
const PREFIX = 'proof/';

/**
 * Writes as much as an append may need, durably, reads of it, and deletes it again; rejects if that fails.
 * Appends can then use these pages. A small write proves nothing, because the file has a few free pages on
 * a full disk too. `failedBytes` are those of the last append when that failed, else 0.
 */
export async function checkFreeSpace(files: LogFiles, failedBytes: number): Promise<void> {
  const bytes = failedBytes === 0 ? BYTES_MIN : Math.max(BYTES_MIN_AFTER_FAILURE, 2 * failedBytes);
  await writeLog(files, () => {
    for (let i = 0; i * VALUE.length < bytes; i++) files.env.putSync(PREFIX + i, VALUE);
    // Within the transaction, because other processes delete what they find.
    if (!VALUE.equals(files.env.get(`${PREFIX}0`) as Buffer))
      throw new Error('what it wrote reads otherwise');
  }).flushed;
  // Also deletes what a killed process has left.
  await writeLog(files, () => {
    for (const key of [...files.env.getKeys({ start: PREFIX, end: `${PREFIX}~` })]) files.env.removeSync(key);
  }).committed;
}

/** Throws: the log of the folder cannot append now. */
export const cannotWrite =
  (folder: string) =>
  (cause: Error): never => {
    const message = `The event log in ${folder} cannot write: ${cause.message}.`;
    throw new LogUnavailable(message, { cause, retriable: true });
  };
