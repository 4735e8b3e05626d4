import type { RootDatabase } from 'lmdb';
import { admitWrite, trackWrite } from './in-flight-writes.js';

/** Commits are visible immediately and durable after the next flush. */
export const lmdbCommitOptions = { overlappingSync: true, noSubdir: false } as const;

export interface LmdbWrite<Result> {
  /** The transaction is visible. */
  readonly committed: Promise<Result>;
  /** The transaction is durable; rejects with `committed`. */
  readonly flushed: Promise<void>;
}

/**
 * Runs `action` in one write transaction, atomically. A failed commit, as on a full disk, rejects both
 * promises, and the caller need not await both: an unhandled rejection would end the process.
 */
export function lmdbWrite<Result, Value, Key extends Buffer | string>(
  env: RootDatabase<Value, Key>,
  action: () => Result,
): LmdbWrite<Result> {
  const committed = commit(env, action);
  // Never settles when the commit fails, so it is awaited only after the commit.
  const flush = new Promise<unknown>((resolve, reject) => void env.flushed.then(resolve, reject));
  const flushed = committed.then(async () => void (await flush));
  for (const promise of [committed, flush, flushed]) promise.catch(ignore);
  trackWrite(flushed);
  return { committed, flushed };
}

/**
 * With the promise of a transaction, lmdb rejects two more promises that no caller can handle: that of the
 * batch with the transaction, and the one with the cause.
 */
async function commit<Result, Value, Key extends Buffer | string>(
  env: RootDatabase<Value, Key>,
  action: () => Result,
): Promise<Result> {
  admitWrite();
  const transaction = env.childTransaction(action);
  // The batch gets its promise in an immediate that was just queued; no commit can fail before that.
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
