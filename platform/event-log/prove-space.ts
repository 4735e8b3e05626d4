import { LogUnavailable } from './event-log.js';
import { type LogFiles, writeLog } from './log-files.js';

const KIB = 1024;
/**
 * A path to a leaf is written again in each partition that an append touches, so a few records need many
 * pages.
 */
const BYTES_MIN = 64 * KIB;
const BYTES_MIN_AFTER_FAILURE = 256 * KIB;
/** Two of them fill a page, so that the pages need not lie side by side. */
const VALUE = Buffer.alloc(1_900);
const PREFIX = 'proof/';

/**
 * Writes as much as an append could need, durably, and takes it out again; rejects when that is not possible.
 * What it took is free for appends afterwards. A small write proves nothing: the file has a few free pages
 * for that on a full disk too. `failedBytes` are those of the last append when that failed, else 0.
 */
export async function proveSpace(files: LogFiles, failedBytes: number): Promise<void> {
  const bytes = failedBytes === 0 ? BYTES_MIN : Math.max(BYTES_MIN_AFTER_FAILURE, 2 * failedBytes);
  await writeLog(files, () => {
    for (let i = 0; i * VALUE.length < bytes; i++) files.env.putSync(PREFIX + i, VALUE);
  }).flushed;
  // Also what a process left that was killed in between.
  await writeLog(files, () => {
    for (const key of [...files.env.getKeys({ start: PREFIX, end: `${PREFIX}~` })]) files.env.removeSync(key);
  }).committed;
}

/** Throws: the log of the folder takes nothing at the moment. */
export const cannotWrite =
  (folder: string) =>
  (cause: Error): never => {
    const message = `The event log in ${folder} cannot write: ${cause.message}.`;
    throw new LogUnavailable(message, { cause, retriable: true });
  };
