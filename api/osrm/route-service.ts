import type { Route } from '#platform/http/http-types.js';
import type { ThroughOutcome } from '#routing-engine/tasks/through-task.js';
import { getOsrmRoute, postOsrmRoute } from '#schemas/http/osrm.js';
import type { Releases } from '../release/served-release.js';
import { type LegNodes, legNodes, refusedNodes } from './leg-nodes.js';
import { lineAnswer } from './line-answer.js';
import { messages } from './messages.js';
import type { OsrmRefusal } from './refusal.js';
import { parseRouteQuery, type RouteQuery } from './route-query.js';
import { dataVersion, osrmService } from './service.js';
import { movedWarnings, waypoint } from './waypoint.js';

export const routeService = (releases: Releases, languages: readonly string[]): Route[] =>
  osrmService<RouteQuery>([getOsrmRoute, postOsrmRoute], releases, {
    parse: (request) => parseRouteQuery(request, languages),
    async answer(query, release, options) {
      const refusal = refusedNodes(query.line, release);
      if (refusal !== undefined) return refusal;
      const outcome = await release.routing!.through(query.question, options);
      const nodes = await legNodes(outcome.status === 'ok' ? outcome.routes : [], release);
      return answer(outcome, { ...query, nodes }, release.roads.tilesetId);
    },
  });

function answer(
  outcome: ThroughOutcome,
  query: RouteQuery & { readonly nodes: LegNodes },
  tilesetId: string,
): object | OsrmRefusal {
  switch (outcome.status) {
    case 'no-snap':
      return { code: 'NoSegment', message: messages.noSegment(outcome.stop) };
    case 'no-route': {
      const message =
        outcome.reason === 'avoided' ? messages.allExcluded(outcome.leg) : messages.noRoute(outcome.leg);
      return { code: 'NoRoute', message };
    }
    case 'ok': {
      const { routes, stops, drivingSide, metricVersion } = outcome;
      return {
        routes: routes.map((route) => lineAnswer(route, { ...query.line, nodes: query.nodes, drivingSide })),
        ...(query.waypoints.shown ? { waypoints: stops.map((stop) => waypoint(stop, query.waypoints)) } : {}),
        ...movedWarnings(stops),
        data_version: dataVersion(tilesetId, metricVersion),
      };
    }
  }
}
