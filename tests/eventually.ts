import { setTimeout } from 'node:timers/promises';

/** Without `everyMs`: what is there at once is seen at once, and a long wait costs no processor. */
const firstMs = 10;
const growth = 1.25;
const longestMs = 100;

/** Retries until `attempt` no longer throws; after the deadline its last error is the failure. */
export async function eventually<Result>(
  attempt: () => Result | Promise<Result>,
  { deadlineMs = 60_000, everyMs }: { deadlineMs?: number; everyMs?: number } = {},
): Promise<Result> {
  const end = performance.now() + deadlineMs;
  for (let waitMs = firstMs; ; waitMs = Math.min(waitMs * growth, longestMs)) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await setTimeout(everyMs ?? waitMs);
  }
}
