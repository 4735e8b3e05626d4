import type { HttpAnswer } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import { poolFailure } from '../http/pool-failure.js';
import { RoutesUnavailable } from '../ports/planner.js';

/** The answer if planning failed and the same request may succeed later. Rethrows bugs. */
export function planFailure(error: unknown, signal: AbortSignal): HttpAnswer {
  const retry = { retryAfterS: 1 };
  if (error instanceof RoutesUnavailable) return problem(problems.unavailable, error.message, retry);
  const detail = poolFailure(error);
  if (detail === undefined && !signal.aborted) throw error;
  return problem(problems.overloaded, detail, retry);
}
