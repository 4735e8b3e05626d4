import { PoolSaturated, TaskTimedOut } from '#platform/worker-pool/worker-pool.js';

/**
 * A sentence for a task that failed because of overload or because its thread died; the same request may
 * succeed later. Undefined for every other error, which is a bug.
 */
export function poolFailure(error: unknown): string | undefined {
  if (error instanceof PoolSaturated) return 'The server is overloaded. The request was not processed.';
  if (error instanceof TaskTimedOut) return 'The computation took too long and was cancelled.';
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return code?.startsWith('ERR_WORKER') === true ? 'The computation ended without a result.' : undefined;
}
