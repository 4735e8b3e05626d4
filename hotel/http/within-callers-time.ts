import type { HttpAnswer, Route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import { badWait, callersTimeOver } from './messages.js';

/** Longer than any statement may take: more than this is no limit. */
const waitMaxS = 3_600;

/**
 * Operations that answer within the time which their caller has: `Prefer: wait=5` (RFC 7240) is five seconds
 * from here. After them the answer is 503, and the request may still take effect: whoever sends it again
 * under the same id gets its outcome.
 */
export const withinCallersTime = (routes: readonly Route[]): readonly Route[] =>
  routes.map((route) => ({
    ...route,
    handle(request) {
      const waitS = waitOf(request.header('prefer'));
      if (waitS === 'wrong') return problem(problems.malformed, badWait);
      const answer = route.handle(request);
      return waitS === undefined || !(answer instanceof Promise) ? answer : within(answer, waitS);
    },
  }));

/** Other preferences may be ignored; of several waits the first counts. */
function waitOf(prefer: string | undefined): number | 'wrong' | undefined {
  const asked = prefer
    ?.split(',')
    .map((each) => /^\s*wait\s*(?:=\s*"?([^";]*?)"?\s*)?(?:;.*)?$/i.exec(each))
    .find((each) => each !== null);
  if (asked === undefined || asked === null) return undefined;
  const [, seconds = ''] = asked;
  return /^[1-9]\d{0,8}$/.test(seconds) ? Math.min(Number(seconds), waitMaxS) : 'wrong';
}

async function within(answer: Promise<HttpAnswer>, waitS: number): Promise<HttpAnswer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<HttpAnswer>((resolve) => {
    timer = setTimeout(
      () => resolve(problem(problems.unavailable, callersTimeOver(waitS), { retryAfterS: 1 })),
      waitS * 1_000,
    );
  });
  try {
    const { isKept: _, ...first } = await Promise.race([answer, late]);
    return { ...first, headers: { ...first.headers, 'preference-applied': `wait=${waitS}` } };
  } finally {
    clearTimeout(timer);
  }
}
