import type { HttpAnswer, Route } from '#platform/http/http-types.js';

/** A 503 says when to repeat the request, unless its handler said so. */
export const withRetryAfter =
  (seconds: number) =>
  (route: Route): Route => ({
    ...route,
    handle: async (request) => {
      const answer = await (route.handle(request) as HttpAnswer | Promise<HttpAnswer>);
      if (answer.status !== 503) return answer;
      return { ...answer, headers: { 'retry-after': String(seconds), ...answer.headers } };
    },
  });
