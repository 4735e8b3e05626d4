import type { RootDatabase } from 'lmdb';

/** Commits become visible at once and durable when the flush that follows them ends. */
export const lmdbCommitOptions = { overlappingSync: true, noSubdir: false } as const;

/**
 * Runs `action` in one write transaction, atomically, and resolves when it is committed. A failed commit, as on a full
 * disk, rejects; lmdb rejects two more promises with it that nobody is given, and an unhandled rejection would end
 * the process: the one of the batch that the transaction is part of, and the one that tells the cause.
 */
export async function lmdbCommit<Result>(
  env: RootDatabase<unknown, string>,
  action: () => Result,
): Promise<Result> {
  const transaction = env.childTransaction(action);
  // The batch gets its promise in an immediate that was queued just now; no commit can have failed before that.
  setImmediate(() => void env.committed.then(ignore, ignore));
  try {
    return await transaction;
  } catch (error) {
    const second = (error as { commitError?: Promise<unknown> } | undefined)?.commitError;
    throw explained((await second?.then(() => error).catch((cause: unknown) => cause)) ?? error);
  }
}

const ignore = (): void => {};

const INPUT_OUTPUT = 5;
const NO_SPACE = 28;

function explained(cause: unknown): unknown {
  const { code, message } = cause as { readonly code?: unknown; readonly message?: string };
  if (code !== INPUT_OUTPUT && code !== NO_SPACE) return cause;
  return new Error(`${message}: the disk is full or broken`, { cause });
}
