import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import type { ThroughOutcome } from '#routing-engine/tasks/through-task.js';
import { getOsrmRoute } from '#schemas/http/osrm.js';
import type { Releases } from '../release/served-release.js';
import { osrm } from './messages.js';
import { osrmAnswer } from './osrm-answer.js';
import { type OsrmQuery, type OsrmRefusal, parseOsrmQuery } from './osrm-query.js';
import { planFailure } from './plan-failure.js';

const refused = ({ code, message }: OsrmRefusal): HttpAnswer => ({ status: 400, body: { code, message } });

/** The counterpart of `/v1/nav` for OSRM clients. */
export const osrmRoute = (releases: Releases, languages: readonly string[]): Route =>
  route(getOsrmRoute, async ({ params, query, signal }) => {
    const asked = parseOsrmQuery(params, query, languages);
    if ('code' in asked) return refused(asked);
    const startedMs = performance.now();
    try {
      return await releases.use(async ({ planThrough, roads }) => {
        const outcome = await planThrough!(asked.question, { signal });
        return {
          ...answer(outcome, asked, roads.tilesetId),
          timings: { search: performance.now() - startedMs },
        };
      });
    } catch (error) {
      return planFailure(error, signal);
    }
  });

function answer(outcome: ThroughOutcome, asked: OsrmQuery, tilesetId: string): HttpAnswer {
  switch (outcome.status) {
    case 'no-snap':
      return refused({
        code: 'NoSegment',
        message: osrm.noSegment(outcome.stop),
      });
    case 'no-route': {
      const message =
        outcome.reason === 'avoided' ? osrm.allExcluded(outcome.leg) : osrm.noRoute(outcome.leg);
      return refused({ code: 'NoRoute', message });
    }
    case 'ok':
      return {
        status: 200,
        headers: { 'cache-control': 'no-store' },
        body: osrmAnswer(outcome, asked, tilesetId),
      };
  }
}
