import type { HttpAnswer } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import type { RecordedReview } from '../second-person/recorded-review.js';
import { paymentProblems } from './payment-problems.js';

export const reviewJson = (review: RecordedReview | undefined) => ({
  reviewed_by: review?.by ?? null,
  reviewed_at: review?.at.toISOString() ?? null,
  review_reason: review?.reason ?? null,
});

/** Why a second person cannot decide. `missing`: the sentence for what does not exist. */
export function reviewRefused(
  kind: 'not_found' | 'not_waiting' | 'same_person',
  missing: string,
): HttpAnswer {
  switch (kind) {
    case 'not_found':
      return problem(problems.notFound, missing);
    case 'not_waiting':
      return problem(paymentProblems.notAwaitingSecond);
    case 'same_person':
      return problem(paymentProblems.samePerson);
  }
}
