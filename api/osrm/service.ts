import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import type { RouteContract } from '#schemas/http/route-contract.js';
import { planFailure } from '../nav/plan-failure.js';
import type { Releases, ServedRelease } from '../release/served-release.js';
import { readPosted } from './posted-request.js';
import { isRefusal, type OsrmRefusal, refused } from './refusal.js';
import type { OsrmRequest } from './service-query.js';

/** One of OSRM's services: how a query is read, and how it is answered on a release of the map. */
export interface OsrmService<Query extends object> {
  readonly parse: (request: OsrmRequest) => Query | OsrmRefusal;
  readonly answer: (
    query: Query,
    release: ServedRelease,
    options: { readonly signal: AbortSignal },
  ) => Promise<object | OsrmRefusal>;
}

/** The operations of a service: the question in the address, and in a JSON body. */
export function osrmService<Query extends object>(
  [get, post]: readonly [get: RouteContract, post: RouteContract],
  releases: Releases,
  { parse, answer }: OsrmService<Query>,
): Route[] {
  return [
    route(get, ({ params, query, signal }) =>
      answerTo({ params: params as OsrmRequest['params'], query: query as OsrmRequest['query'] }, signal),
    ),
    route(post, async ({ params, body, signal }) => {
      const { profile } = params as OsrmRequest['params'];
      const posted = readPosted(profile, body as unknown as Uint8Array);
      return isRefusal(posted) ? refused(posted) : await answerTo(posted, signal);
    }),
  ];

  async function answerTo(request: OsrmRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const asked = parse(request);
    if (isRefusal(asked)) return refused(asked);
    const startedMs = performance.now();
    try {
      return await releases.use(async (release) => {
        const found = await answer(asked, release, { signal });
        if (isRefusal(found)) return refused(found);
        return {
          status: 200,
          headers: { 'cache-control': 'no-store' },
          body: { code: 'Ok', ...found },
          timings: { search: performance.now() - startedMs },
        };
      });
    } catch (error) {
      return planFailure(error, signal);
    }
  }
}

/** Names what an answer was computed from: the tiles and the metric. */
export const dataVersion = (tilesetId: string, metricVersion: number): string =>
  `${tilesetId}.${metricVersion}`;
