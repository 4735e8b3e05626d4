import type { Route } from '#platform/http/http-types.js';
import type { NearRoad } from '#routing-engine/tasks/nearest-task.js';
import { getOsrmNearest, postOsrmNearest } from '#schemas/http/osrm.js';
import type { Releases } from '../release/served-release.js';
import { messages } from './messages.js';
import { type NearestQuery, parseNearestQuery } from './nearest-query.js';
import type { OsrmRefusal } from './refusal.js';
import { dataVersion, osrmService } from './service.js';
import { waypoint } from './waypoint.js';

export const nearestService = (releases: Releases): Route[] =>
  osrmService<NearestQuery>([getOsrmNearest, postOsrmNearest], releases, {
    parse: parseNearestQuery,
    async answer({ question, waypoints }, { routing, roads, nodeIds }, options) {
      const { found, metricVersion } = await routing!.nearest(question, options);
      const nodesOf = new Map<NearRoad, readonly number[]>();
      for (const near of found.flat())
        nodesOf.set(near, (await nodeIds?.idsOf(near.nodes)) ?? [...near.nodes.ids]);
      const [only] = found;
      if (found.length === 1 && only!.length === 0) return noSegment;
      const groups = found.map((near) => (near.length === 0 ? noSegment : near.map(road)));
      return {
        // Of one place its roads, of several a list for each, as in OSRM.
        ...(waypoints.shown ? { waypoints: groups.length === 1 ? groups[0] : groups } : {}),
        data_version: dataVersion(roads.tilesetId, metricVersion),
      };

      function road(near: NearRoad): object {
        return { nodes: nodesOf.get(near), ...waypoint(near, waypoints) };
      }
    },
  });

const noSegment: OsrmRefusal = { code: 'NoSegment', message: messages.noSegmentNear };
