import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { WorkerPool } from '#platform/worker-pool/worker-pool.js';
import { startArrivalModel } from '#processors/arrival-times/start-arrival-model.js';
import { startFinishedTrips } from '#processors/arrival-times/start-finished-trips.js';
import { startCustomization } from '#processors/customization/start-customization.js';
import { startMatching } from '#processors/matching/start-matching.js';
import { startNewRoads } from '#processors/new-roads/start-new-roads.js';
import { startReroute } from '#processors/reroute/start-reroute.js';
import type { Running } from '#processors/start-group.js';
import { trafficDefaults } from '#processors/traffic/settings.js';
import { startTraffic } from '#processors/traffic/start-traffic.js';
import { startTypicalWeek } from '#processors/typical-week/start-typical-week.js';
import type { RoadNetwork } from '#routing-engine/road-network.js';
import type { RouteTask, RouteTaskOutcome } from '#routing-engine/route-task.js';
import type { MetricFollower } from '#tile-builder/metric-follower.js';
import type { Context, LogAndCodecs } from './context.js';
import type { Group } from './groups.js';
import { followArrivalModels } from './open-arrival-times.js';
import { pseudonymKey } from './pseudonym-key.js';
import { typicalRatio } from './typical-ratio.js';

export interface ProcessorParts {
  readonly events: LogAndCodecs;
  readonly objects: ObjectStore;
  readonly network: RoadNetwork;
  /** Only `reroute` searches routes. */
  readonly routing?: { readonly metric: MetricFollower; readonly pool: WorkerPool };
}

/** Starts consumer groups; they stop, and store their state, when the program does. */
export async function startProcessors(
  context: Context,
  wanted: readonly Group[],
  parts: ProcessorParts,
): Promise<void> {
  await Promise.all(
    wanted.map(async (group) => {
      const caughtUp = context.readiness.condition(group, `The group ${group} is reading what it missed.`);
      const running = await startOne(context, group, parts);
      context.onStop(group, () => running.close());
      void running.ready.then(() => caughtUp.fulfil());
    }),
  );
}

async function startOne(context: Context, group: Group, parts: ProcessorParts): Promise<Running> {
  const { events, objects, network, routing } = parts;
  const deps = { ...events, objects, network, logger: context.logger, metrics: context.metrics };
  switch (group) {
    case 'matching':
      return startMatching({ ...deps, pseudonymKey: await pseudonymKey(context.config.MERIDIAN_DATA) });
    case 'typical-week':
      return startTypicalWeek({ ...deps, driversMin: context.config.TRAFFIC_DRIVERS_MIN });
    case 'traffic':
      return startTraffic({
        ...deps,
        typicalRatio: await typicalRatio(context, objects, network.tilesetId),
        settings: {
          window: { ...trafficDefaults.window, driversMin: context.config.TRAFFIC_DRIVERS_MIN },
        },
      });
    case 'new-roads':
      return startNewRoads({ ...deps, tilesetId: network.tilesetId });
    case 'finished-trips': {
      const models = await followArrivalModels(context, objects, network.tilesetId);
      const ratio = await typicalRatio(context, objects, network.tilesetId);
      return startFinishedTrips({ ...deps, typicalRatio: ratio, model: () => models.current });
    }
    case 'arrival-model':
      return startArrivalModel(deps);
    case 'customization':
      return startCustomization(deps);
    case 'reroute': {
      if (routing === undefined)
        throw new Error('reroute searches routes and was given nothing to search with');
      const { metric, pool } = routing;
      return startReroute({
        ...deps,
        metric,
        findRoute: (task) => pool.run<RouteTask, RouteTaskOutcome>('default', task),
      });
    }
  }
}
