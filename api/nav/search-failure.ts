import { PoolSaturated, TaskTimedOut } from '#platform/worker-pool/worker-pool.js';

/**
 * A sentence for a search that failed because there was too much to do, or because its thread died over it; the same
 * request may succeed later. Undefined for every other error, which is a fault of ours.
 */
export function searchFailure(error: unknown): string | undefined {
  if (error instanceof PoolSaturated)
    return 'More routes are asked for than can be searched; nothing was done.';
  if (error instanceof TaskTimedOut) return 'The search took too long and was given up.';
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return code?.startsWith('ERR_WORKER') === true ? 'The search ended without an answer.' : undefined;
}
