import type { HttpAnswer } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import { isTemporary } from '#platform/sql/sql.js';
import { unavailable } from './messages.js';

/** An unavailable database is 503; the caller may repeat the request with the same key: `retry-after.ts`. */
export async function catchUnavailable(handle: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  try {
    return await handle();
  } catch (error) {
    if (!isTemporary(error)) throw error;
    return problem(problems.unavailable, unavailable);
  }
}
