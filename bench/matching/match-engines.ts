import polyline from '@mapbox/polyline';
import { type MatchAnswer, type MatchTask, TraceTasks } from '#routing-engine/matching/match-task.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { startPeer } from '../peers/peer-process.js';
import type { Area } from '../routing/areas.js';
import type { MatchEngine, MatchRound } from './match-engine.js';
import { meiliDefaults, type TunedEngine } from './meili-settings.js';

export function ourMatchEngine(network: RoadNetwork): MatchEngine {
  const tasks = new TraceTasks(network);
  return {
    name: 'meridian',
    async round(traces) {
      const questions = traces.map(({ points }) => JSON.stringify({ points } satisfies MatchTask));
      const answers: string[] = [];
      const before = process.cpuUsage();
      for (const question of questions)
        answers.push(JSON.stringify(tasks.answer(JSON.parse(question) as MatchTask)));
      const { user, system } = process.cpuUsage(before);
      const lines = answers.map((answer) =>
        (JSON.parse(answer) as MatchAnswer).matchings.map(({ geometry }) =>
          polyline.decode(geometry, 6).flatMap(([lat, lng]) => [lng, lat]),
        ),
      );
      return { cpuS: (user + system) / 1e6, lines };
    },
    close: async () => undefined,
  };
}

export async function valhallaMatchEngine(area: Area): Promise<TunedEngine> {
  const peer = await startPeer('valhalla', area);
  const engine: TunedEngine = {
    name: 'valhalla',
    settings: meiliDefaults,
    async round(traces) {
      const { searchRadiusM, turnPenaltyFactor, interpolationM, gpsAccuracyM } = engine.settings;
      const questions = traces.map(({ points }) =>
        JSON.stringify({
          shape: points.map(({ lngE7, latE7, timeMs }) => ({
            lat: latE7 / 1e7,
            lon: lngE7 / 1e7,
            time: Math.round(timeMs / 1000),
          })),
          costing: 'auto',
          shape_match: 'map_snap',
          trace_options: {
            gps_accuracy: gpsAccuracyM,
            search_radius: searchRadiusM,
            turn_penalty_factor: turnPenaltyFactor,
            interpolation_distance: interpolationM,
          },
          filters: { action: 'include', attributes: answered },
        }),
      );
      return peer.ask<MatchRound>({ do: 'match', questions });
    },
    close: () => peer.close(),
  };
  return engine;
}

/** As much as our answer holds: the line, the edges, and where each point came to lie. */
const answered = [
  'shape',
  'edge.way_id',
  'edge.begin_shape_index',
  'edge.end_shape_index',
  'edge.length',
  'matched.point',
  'matched.type',
  'matched.edge_index',
  'matched.distance_along_edge',
  'matched.distance_from_trace_point',
];
