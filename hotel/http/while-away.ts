import type { HttpAnswer } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import { SqlUnavailable } from '#platform/sql/sql.js';
import { databaseUnavailable } from './messages.js';

/**
 * A database that is away is a clean 503. Whether a change happened may be unknown then, so clients send the
 * very same request again.
 */
export async function whileAway(work: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SqlUnavailable)) throw error;
    return problem(problems.unavailable, databaseUnavailable, {
      retryAfterS: 1,
    });
  }
}
