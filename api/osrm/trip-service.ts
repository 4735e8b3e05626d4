import type { Route } from '#platform/http/http-types.js';
import type { TripOutcome } from '#routing-engine/tasks/trip-task.js';
import { getOsrmTrip, postOsrmTrip } from '#schemas/http/osrm.js';
import type { Releases } from '../release/served-release.js';
import { type LegNodes, legNodes, refusedNodes } from './leg-nodes.js';
import { lineAnswer } from './line-answer.js';
import { messages } from './messages.js';
import type { OsrmRefusal } from './refusal.js';
import { dataVersion, osrmService } from './service.js';
import { parseTripQuery, type TripQuery } from './trip-query.js';
import { movedWarnings, waypoint } from './waypoint.js';

export const tripService = (releases: Releases, languages: readonly string[]): Route[] =>
  osrmService<TripQuery>([getOsrmTrip, postOsrmTrip], releases, {
    parse: (request) => parseTripQuery(request, languages),
    async answer(query, release, options) {
      const refusal = refusedNodes(query.line, release);
      if (refusal !== undefined) return refusal;
      const outcome = await release.routing!.trip(query.question, options);
      const nodes = await legNodes(outcome.status === 'ok' ? [outcome.trip] : [], release);
      return answer(outcome, { ...query, nodes }, release.roads.tilesetId);
    },
  });

function answer(
  outcome: TripOutcome,
  query: TripQuery & { readonly nodes: LegNodes },
  tilesetId: string,
): object | OsrmRefusal {
  switch (outcome.status) {
    case 'no-snap':
      return { code: 'NoSegment', message: messages.noSegment(outcome.stop) };
    case 'no-trip':
      return { code: 'NoTrips', message: messages.noTrip };
    case 'ok': {
      const { trip, stops, order, drivingSide, metricVersion } = outcome;
      const waypoints = stops.map((stop, at) => ({
        trips_index: 0,
        waypoint_index: order.indexOf(at),
        ...waypoint(stop, query.waypoints),
      }));
      return {
        trips: [lineAnswer(trip, { ...query.line, nodes: query.nodes, drivingSide })],
        ...(query.waypoints.shown ? { waypoints } : {}),
        ...movedWarnings(stops),
        data_version: dataVersion(tilesetId, metricVersion),
      };
    }
  }
}
