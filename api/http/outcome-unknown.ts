import type { HttpAnswer } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';

/**
 * The log did not confirm a record, but may have it. `advice` says how to find out, or why to send it again.
 */
export const outcomeUnknown = (advice: string): HttpAnswer =>
  problem(
    problems.unavailable,
    `The event log did not confirm this request, so the result is unknown. ${advice}`,
    { retryAfterS: 1 },
  );
