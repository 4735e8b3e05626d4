import type { HttpAnswer } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import { ObjectStoreUnavailable } from '#platform/object-store/object-store.js';
import * as messages from './messages.js';

export async function orStoreUnavailable(answer: () => Promise<HttpAnswer>): Promise<HttpAnswer> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof ObjectStoreUnavailable)) throw error;
    return problem(problems.unavailable, messages.storeUnavailable, { retryAfterS: 2 });
  }
}
