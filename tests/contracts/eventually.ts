import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';

/** Asks until `condition` holds; fails with `what` after the deadline. */
export async function eventually(
  what: string,
  condition: () => boolean | Promise<boolean>,
  deadlineMs = 5_000,
): Promise<void> {
  const end = Date.now() + deadlineMs;
  while (!(await condition())) {
    if (Date.now() > end) expect.fail(`${what} did not happen within ${deadlineMs} ms`);
    await delay(5);
  }
}
