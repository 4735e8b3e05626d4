import type { ObjectStore } from '#platform/object-store/object-store.js';
import { startAnalytics } from '#processors/analytics/start-analytics.js';
import { startArrivalModel } from '#processors/arrival-times/start-arrival-model.js';
import { startFinishedTrips } from '#processors/arrival-times/start-finished-trips.js';
import { startCustomization } from '#processors/customization/start-customization.js';
import { startMatching } from '#processors/matching/start-matching.js';
import { startAcceptedRoads } from '#processors/new-roads/start-accepted-roads.js';
import { startNewRoads } from '#processors/new-roads/start-new-roads.js';
import { startPersonalization } from '#processors/personalization/start-personalization.js';
import { startReroute } from '#processors/reroute/start-reroute.js';
import type { Running } from '#processors/start-group.js';
import { trafficDefaults } from '#processors/traffic/settings.js';
import { startTraffic } from '#processors/traffic/start-traffic.js';
import { startTypicalWeek } from '#processors/typical-week/start-typical-week.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { RouteTask, RouteTaskOutcome } from '#routing-engine/tasks/route-task.js';
import type { Context, LogAndCodecs } from '../context.js';
import { followArrivalModels } from '../open/open-arrival-times.js';
import type { LiveRoads } from '../open/open-roads.js';
import { typicalRatio } from '../open/typical-ratio.js';
import type { Group } from '../options/groups.js';
import { openScope, type Scope } from '../scope.js';
import { pseudonymKey } from './pseudonym-key.js';

interface Ground {
  readonly events: LogAndCodecs;
  readonly objects: ObjectStore;
}

export interface Processors {
  /**
   * Stops the groups with their states stored, and starts them on other roads at the record at which they
   * ended. If it rejects, none of them runs, and it may be called again.
   */
  beginAnew(roads: LiveRoads): Promise<void>;
}

/** Starts consumer groups; they stop, and store their state, when the program does. */
export async function startProcessors(
  context: Context,
  wanted: readonly Group[],
  ground: Ground,
  roads: LiveRoads,
): Promise<Processors> {
  let scope = openScope(context);
  context.onStop('consumer groups', () => scope.close());
  const start = (on: LiveRoads, before?: RoadNetwork): Promise<readonly Running[]> =>
    Promise.all(
      wanted.map(async (group) => {
        const running = await startOne(scope, group, ground, on, before);
        scope.onStop(group, () => running.close());
        return running;
      }),
    );
  const conditions = wanted.map((group) =>
    context.readiness.condition(group, `The group ${group} is catching up with the log.`),
  );
  const running = await start(roads);
  let { network } = roads;
  for (const [i, { ready }] of running.entries()) void ready.then(() => conditions[i]!.fulfil());
  return {
    async beginAnew(next) {
      await scope.close();
      scope = openScope(context);
      const begun = await start(next, network);
      network = next.network;
      await Promise.all(begun.map(({ ready }) => ready));
    },
  };
}

async function startOne(
  context: Scope,
  group: Group,
  { events, objects }: Ground,
  { network, metric, gap, pool }: LiveRoads,
  before: RoadNetwork | undefined,
): Promise<Running> {
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
    case 'personalization':
      return startPersonalization(deps);
    case 'new-roads':
      return startNewRoads({ ...deps, tilesetId: network.tilesetId });
    case 'new-roads-accepted':
      return startAcceptedRoads(deps);
    case 'analytics':
      return startAnalytics({ ...deps, driversMin: context.config.TRAFFIC_DRIVERS_MIN });
    case 'finished-trips': {
      const models = await followArrivalModels(context, objects, network.tilesetId);
      const ratio = await typicalRatio(context, objects, network.tilesetId);
      return startFinishedTrips({
        ...deps,
        typicalRatio: ratio,
        model: () => models.current,
        pseudonymKey: await pseudonymKey(context.config.MERIDIAN_DATA),
      });
    }
    case 'arrival-model':
      return startArrivalModel(deps);
    case 'customization':
      return startCustomization(deps);
    case 'reroute':
      return startReroute({
        ...deps,
        ...(before === undefined ? {} : { before }),
        ...{ metric, gap },
        findRoute: (task) => pool.run<RouteTask, RouteTaskOutcome>('default', task),
      });
  }
}
