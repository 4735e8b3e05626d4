import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { type FieldError, problem, problems } from '#platform/http/problem.js';
import { getIsochrone, type IsochroneQuery, postIsochrone } from '#schemas/http/isochrone.js';
import { planFailure } from '../nav/plan-failure.js';
import type { Releases } from '../release/served-release.js';
import { isochroneAnswer } from './isochrone-answer.js';
import { isochroneQuestion, readIsochroneQuery } from './isochrone-query.js';
import { messages } from './messages.js';

/** Of the engine's snapping. */
const snapMetresMax = 1_000;

/** Areas within a time or a distance, in the layout of Valhalla. */
export const isochroneRoutes = (releases: Releases): readonly Route[] => [
  route(getIsochrone, ({ query, signal }) => {
    const asked = readIsochroneQuery(query.json);
    return isErrors(asked) ? refusal(asked, '/query/json') : answer(releases, asked, signal, '/query/json');
  }),
  route(postIsochrone, ({ body, signal }) => answer(releases, body, signal, '')),
];

const isErrors = (asked: object): asked is readonly FieldError[] => Array.isArray(asked);

const refusal = (errors: readonly FieldError[], place: string): HttpAnswer =>
  problem(problems.invalid, undefined, {
    errors: errors.map(({ pointer, message }) => ({ pointer: place + pointer, message })),
  });

async function answer(
  releases: Releases,
  query: IsochroneQuery,
  signal: AbortSignal,
  place: string,
): Promise<HttpAnswer> {
  const question = isochroneQuestion(query);
  if (isErrors(question)) return refusal(question, place);
  const startedMs = performance.now();
  try {
    return await releases.use(async ({ routing, roads }) => {
      const found = await routing!.isochrone(question, { signal });
      switch (found.status) {
        case 'no-snap': {
          const message = messages.noRoad(query.costing, snapMetresMax);
          return refusal([{ pointer: '/locations/0', message }], place);
        }
        case 'too-large':
          return refusal([{ pointer: '/contours', message: messages.tooLarge }], place);
        case 'ok':
          return {
            status: 200,
            headers: { 'cache-control': 'no-store' },
            body: isochroneAnswer(found, query, roads.tilesetId),
            timings: { search: performance.now() - startedMs },
          };
      }
    });
  } catch (error) {
    return planFailure(error, signal);
  }
}
