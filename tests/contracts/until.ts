import { expect } from 'vitest';
import { eventually } from '../eventually.js';

/** Polls until `condition` is true; fails with `what` after the deadline. */
export const until = (
  what: string,
  condition: () => boolean | Promise<boolean>,
  deadlineMs = 60_000,
): Promise<void> =>
  eventually(
    async () => {
      if (!(await condition())) expect.fail(`${what} did not happen within ${deadlineMs} ms`);
    },
    { deadlineMs, everyMs: 5 },
  );
