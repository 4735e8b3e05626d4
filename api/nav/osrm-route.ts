import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import { getOsrmRoute } from '#schemas/http/osrm.js';
import { poolFailure } from '../pool-failure.js';
import type { Releases } from '../release/served-release.js';
import { osrmAnswer } from './osrm-answer.js';
import { type OsrmQuery, type OsrmRefusal, parseOsrmQuery } from './osrm-query.js';
import type { Plan, Planner } from './planner.js';

const refused = ({ code, message }: OsrmRefusal): HttpAnswer => ({ status: 400, body: { code, message } });

/** The sibling of `/v1/nav` for clients that were made for OSRM. */
export const osrmRoute = (releases: Releases, languages: readonly string[]): Route =>
  route(getOsrmRoute, async ({ params, query, signal }) => {
    const asked = parseOsrmQuery({ ...query, ...params }, languages);
    if ('code' in asked) return refused(asked);
    try {
      return await releases.use(({ planner }) => answer(planner, asked, signal));
    } catch (error) {
      const detail = poolFailure(error);
      if (detail === undefined && !signal.aborted) throw error;
      return problem(problems.overloaded, detail, { retryAfterS: 1 });
    }
  });

async function answer(planner: Planner, asked: OsrmQuery, signal: AbortSignal): Promise<HttpAnswer> {
  const legs: Extract<Plan, { readonly kind: 'routes' }>[] = [];
  for (let at = 1; at < asked.coordinates.length; at++) {
    const { mode, avoid, alternatives, language } = asked;
    const plan = await planner.plan(
      {
        origin: asked.coordinates[at - 1]!,
        destination: asked.coordinates[at]!,
        mode,
        avoid,
        alternatives,
        ...(asked.steps ? { language } : {}),
      },
      { signal },
    );
    switch (plan.kind) {
      case 'not-found':
        return refused({ code: 'NoSegment', message: plan.reason });
      case 'no-way':
        return refused({ code: 'NoRoute', message: plan.reason });
      case 'routes':
        legs.push(plan);
    }
  }
  return { status: 200, headers: { 'cache-control': 'no-store' }, body: osrmAnswer(legs, asked) };
}
