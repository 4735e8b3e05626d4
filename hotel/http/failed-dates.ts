import type { HttpAnswer } from '#platform/http/http-types.js';
import { type ProblemKind, problem } from '#platform/http/problem.js';
import type { Problem } from '#schemas/http/shapes.js';

/** A problem that also lists the nights it is about, for programs. */
export function datesProblem(kind: ProblemKind, dates: readonly string[]): HttpAnswer {
  const answer = problem(kind, `${kind.title}: ${dates.join(', ')}.`);
  const withDates: Problem & { readonly dates: readonly string[] } = {
    ...answer.problem!,
    dates: [...dates],
  };
  return { ...answer, problem: withDates };
}
