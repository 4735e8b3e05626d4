import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Polls `attempt` until it returns without throwing.
 * @param {{seconds: number, everyMs?: number, giveUp?: (error: Error) => void}} limits `giveUp` throws to end
 * the wait early
 * @throws the last error of `attempt` when the deadline passes
 */
export async function waitUntil(attempt, { seconds, everyMs = 150, giveUp }) {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      giveUp?.(error);
      if (performance.now() > deadline) throw error;
    }
    await sleep(everyMs);
  }
}
