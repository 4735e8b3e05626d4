import { PoolSaturated, TaskTimedOut } from '#platform/worker-pool/worker-pool.js';

/**
 * A sentence for work of a thread that failed because there was too much to do, or because the thread died
 * over it; the same request may succeed later. Undefined for every other error, which is a fault of ours.
 */
export function poolFailure(error: unknown): string | undefined {
  if (error instanceof PoolSaturated) return 'The server is overloaded. The request was not processed.';
  if (error instanceof TaskTimedOut) return 'The computation took too long and was cancelled.';
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return code?.startsWith('ERR_WORKER') === true ? 'The computation ended without a result.' : undefined;
}
