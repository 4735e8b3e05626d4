import type { HttpAnswer } from '#platform/http/http-types.js';
import { type ProblemKind, problem } from '#platform/http/problem.js';
import type { Problem } from '#schemas/http/shapes.js';
import { moneyText } from '../hotels/money-text.js';
import type { ChangeStayOutcome, Restricted } from '../reservations/reservations.js';
import { hotelProblems } from './hotel-problems.js';

const restrictions: Readonly<Record<Restricted['kind'], ProblemKind>> = {
  'stop-sell': hotelProblems.stopSell,
  'closed-to-arrival': hotelProblems.closedToArrival,
  'closed-to-departure': hotelProblems.closedToDeparture,
  'minimum-stay': hotelProblems.minimumStay,
  'maximum-stay': hotelProblems.maximumStay,
};

/** A restriction, with the length of stay that it allows. */
export function restrictedProblem({ kind, dates, nights }: Restricted): HttpAnswer {
  const answer = datesProblem(restrictions[kind], dates);
  if (nights === undefined) return answer;
  const { title } = restrictions[kind];
  const bound = kind === 'minimum-stay' ? 'at least' : 'at most';
  const detail = `${title}: ${bound} ${nights} nights from ${dates[0]}.`;
  const withNights: Problem & { readonly nights: number } = { ...answer.problem!, detail, nights };
  return { ...answer, problem: withNights };
}

/** A problem that also lists the nights it is about, for programs. */
export function datesProblem(kind: ProblemKind, dates: readonly string[]): HttpAnswer {
  const answer = problem(kind, `${kind.title}: ${dates.join(', ')}.`);
  const withDates: Problem & { readonly dates: readonly string[] } = {
    ...answer.problem!,
    dates: [...dates],
  };
  return { ...answer, problem: withDates };
}

/** What a paid stay would cost more, for programs and for people. */
export function dearerProblem({
  reservation: { currency },
  differenceMinor,
}: Extract<ChangeStayOutcome, { readonly kind: 'dearer' }>): HttpAnswer {
  const difference = moneyText(differenceMinor, currency);
  const answer = problem(hotelProblems.dearer, `The changed stay costs ${difference} ${currency} more.`);
  const withDifference: Problem & { readonly difference: string; readonly currency: string } = {
    ...answer.problem!,
    difference,
    currency,
  };
  return { ...answer, problem: withDifference };
}
