import type { HttpAnswer } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import { isTemporary } from '#platform/sql/sql.js';
import { databaseUnavailable } from './messages.js';

/**
 * An unavailable database is a clean 503. The outcome of a change may be unknown then, so clients send the
 * same request again.
 */
export async function catchUnavailable(work: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  try {
    return await work();
  } catch (error) {
    if (!isTemporary(error)) throw error;
    return problem(problems.unavailable, databaseUnavailable, {
      retryAfterS: 1,
    });
  }
}
