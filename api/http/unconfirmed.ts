import type { HttpAnswer } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';

/**
 * The log did not say that it has a record, and may have it all the same. `advice` is how to find out, or why
 * to send it again.
 */
export const unconfirmed = (advice: string): HttpAnswer =>
  problem(
    problems.unavailable,
    `The event log did not confirm this request, so the result is unknown. ${advice}`,
    { retryAfterS: 1 },
  );
