import type { Route } from '#platform/http/http-types.js';
import type { TraceOutcome, TracePlace } from '#routing-engine/tasks/trace-task.js';
import { getOsrmMatch, postOsrmMatch } from '#schemas/http/osrm.js';
import type { Releases } from '../release/served-release.js';
import { type LegNodes, legNodes, refusedNodes } from './leg-nodes.js';
import { lineAnswer } from './line-answer.js';
import { type MatchQuery, parseMatchQuery } from './match-query.js';
import { messages } from './messages.js';
import type { OsrmRefusal } from './refusal.js';
import { dataVersion, osrmService } from './service.js';
import { waypoint } from './waypoint.js';

export const matchService = (releases: Releases, languages: readonly string[]): Route[] =>
  osrmService<MatchQuery>([getOsrmMatch, postOsrmMatch], releases, {
    parse: (request) => parseMatchQuery(request, languages),
    async answer(query, release, options) {
      const refusal = refusedNodes(query.line, release);
      if (refusal !== undefined) return refusal;
      const outcome = await release.routing!.trace(query.question, options);
      const nodes = await legNodes(outcome.status === 'no-match' ? [] : outcome.drives, release);
      return answer(outcome, { ...query, nodes }, release.roads.tilesetId);
    },
  });

function answer(
  outcome: TraceOutcome,
  query: MatchQuery & { readonly nodes: LegNodes },
  tilesetId: string,
): object | OsrmRefusal {
  if (outcome.status === 'no-match') return refusals[outcome.reason];
  const { drives, places, drivingSide, metricVersion } = outcome;
  const tracepoints: (object | null)[] = Array.from({ length: query.coordinates }, () => null);
  for (const [at, place] of places.entries())
    if (place !== null) tracepoints[query.kept[at]!] = tracepoint(place, query);
  return {
    matchings: drives.map(({ confidence, ...drive }) => ({
      confidence: Math.round(1e6 * confidence) / 1e6,
      ...lineAnswer(drive, { ...query.line, nodes: query.nodes, drivingSide }),
    })),
    ...(query.waypoints.shown ? { tracepoints } : {}),
    data_version: dataVersion(tilesetId, metricVersion),
  };
}

const refusals = {
  'no-road': { code: 'NoSegment', message: messages.noSegmentForAny },
  'no-drive': { code: 'NoMatch', message: messages.noMatch },
  waypoints: { code: 'NoMatch', message: messages.noMatchOfWaypoints },
} as const;

const tracepoint = (place: TracePlace, { waypoints }: MatchQuery): object => ({
  alternatives_count: place.alternatives,
  waypoint_index: place.waypoint,
  matchings_index: place.drive,
  ...waypoint(place, waypoints),
});
