import { setTimeout } from 'node:timers/promises';

/** Retries until `attempt` no longer throws; after the deadline its last error is the failure. */
export async function eventually<Result>(
  attempt: () => Result | Promise<Result>,
  { deadlineMs = 60_000, everyMs = 10 } = {},
): Promise<Result> {
  const end = performance.now() + deadlineMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await setTimeout(everyMs);
  }
}
