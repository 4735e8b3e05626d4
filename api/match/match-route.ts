import { type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import type { MatchAnswer as Matched, MatchTask } from '#routing-engine/matching/match-task.js';
import { type MatchAnswer, postMatch } from '#schemas/http/match.js';
import { E7 } from '#schemas/units.js';
import { poolFailure } from '../http/pool-failure.js';
import type { Releases } from '../release/served-release.js';

/** Matches complete traces to roads; the trace is not kept after the answer. */
export const matchRoute = (releases: Releases): Route =>
  route(postMatch, async ({ body, signal }) => {
    const { points, gap_s: gapS, mode } = body;
    const task: MatchTask = {
      points: points.map(({ lat, lng, timestamp, accuracy, speed, heading }) => ({
        latE7: Math.round(lat * E7),
        lngE7: Math.round(lng * E7),
        timeMs: timestamp,
        ...(accuracy === undefined ? {} : { accuracyM: accuracy }),
        ...(speed === undefined ? {} : { speedMps: speed }),
        ...(heading === undefined ? {} : { headingDeg: heading }),
      })),
      ...(gapS === undefined ? {} : { gapMaxMs: 1_000 * gapS }),
      ...(mode === undefined ? {} : { mode }),
    };
    const startedMs = performance.now();
    let matched: Matched;
    let tilesetId = '';
    try {
      matched = await releases.use(async ({ traces, roads }) => {
        tilesetId = roads.tilesetId;
        return traces!(task, { signal });
      });
    } catch (error) {
      const detail = poolFailure(error);
      if (detail === undefined && !signal.aborted) throw error;
      return problem(problems.overloaded, detail, { retryAfterS: 1 });
    }
    return {
      status: 200,
      headers: { 'cache-control': 'no-store' },
      timings: { match: performance.now() - startedMs },
      body: answerOf(matched, tilesetId),
    };
  });

function answerOf({ matchings, places }: Matched, tilesetId: string): MatchAnswer {
  return {
    code: matchings.length > 0 ? 'Ok' : 'NoMatch',
    tileset_id: tilesetId,
    matchings: matchings.map(({ confidence, distanceM, geometry, edgeIds, fromFraction, toFraction }) => ({
      confidence,
      distance: distanceM,
      geometry,
      edge_ids: [...edgeIds],
      from_fraction: fromFraction,
      to_fraction: toFraction,
    })),
    tracepoints: places.map((place) =>
      place === null
        ? null
        : {
            matchings_index: place.matching,
            location: [place.lng, place.lat],
            distance: place.distanceM,
            edge_id: place.edgeId,
            fraction: place.fraction,
            name: place.name,
          },
    ),
  };
}
