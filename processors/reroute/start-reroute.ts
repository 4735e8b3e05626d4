import type { MetricFollower } from '#map-data/metric/metric-follower.js';
import { each, type StreamContext } from '#platform/stream/input.js';
import { drop, type Outcome, ok } from '#platform/stream/outcome.js';
import type { Topology } from '#platform/stream/start-processor.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { E7, type LatLng } from '#schemas/units.js';
import { Counts } from '../counts.js';
import { jsonState } from '../json-state.js';
import { forgetEveryMs, navigationsMax, rerouteTickMs } from '../limits.js';
import { type GroupDeps, type Running, startGroup } from '../start-group.js';
import { type ActiveNavigation, ActiveNavigations } from './active-navigations.js';
import { carryNavigation } from './carry-navigation.js';
import { type ComputedLandmarks, computeLandmarks } from './compute-landmarks.js';
import type { Landmarks } from './landmarks.js';
import { locateOnRoute } from './locate-on-route.js';
import type { RouteSearch } from './reroute-step.js';
import { type RerouteCounts, Rerouter, rerouteOutcomes } from './rerouter.js';
import { type RerouteSettings, rerouteDefaults } from './settings.js';

export interface RerouteDeps extends GroupDeps {
  readonly codecs: Pick<
    TopicCodecs,
    'navSessionChanged' | 'navProgress' | 'navRouteChanged' | 'locationBatchRecorded' | 'deadLetter'
  >;
  readonly network: RoadNetwork;
  /** The roads that these replaced while the program ran; navigations on them continue here. */
  readonly before?: RoadNetwork;
  readonly metric: Pick<MetricFollower, 'current' | 'onChange'>;
  /** Why the current metric must not be searched; undefined if it may be. */
  readonly gap?: () => string | undefined;
  readonly findRoute: RouteSearch;
  /** Where landmarks are computed; in a thread of their own when absent. */
  readonly landmarks?: (network: RoadNetwork) => ComputedLandmarks;
  readonly settings?: Partial<RerouteSettings>;
}

/**
 * Group `reroute`: finds navigations that a new version of the metric affects, and decides their new routes.
 */
export async function startReroute(deps: RerouteDeps): Promise<Running> {
  const counts = new Counts(
    deps.metrics,
    'reroute_outcomes_total',
    'Session records, positions, affected navigations, searches, failed searches, pushed routes, ' +
      'drivers without a route.',
    rerouteOutcomes,
  );
  const { network, findRoute, metric, gap = () => undefined, logger, clock = Date.now } = deps;
  const settings = { ...rerouteDefaults, ...deps.settings };
  let landmarks: Landmarks | undefined;
  const computing = (deps.landmarks ?? computeLandmarks)(network);
  computing.made.then(
    (made) => {
      landmarks = made;
    },
    (error: Error) => logger.error('landmarks could not be computed', { cause: error.message }),
  );
  const rerouter = new Rerouter({
    ...{ network, findRoute, metric, gap, clock, settings, counts, logger },
    landmarks: () => landmarks,
  });
  const running = await startGroup(rerouteTopology(deps, settings, rerouter, counts), deps, counts, () =>
    rerouter.begin(),
  );
  return {
    ...running,
    async close() {
      rerouter.close();
      await computing.stop();
      await running.close();
    },
  };
}

function rerouteTopology(
  { codecs, network, before, clock = Date.now }: RerouteDeps,
  settings: RerouteSettings,
  rerouter: Rerouter,
  counts: RerouteCounts,
): Topology<ActiveNavigations> {
  type Context = StreamContext<ActiveNavigations>;
  const move = ({ state }: Context, userId: string, point: LatLng, timeMs: number): Outcome => {
    const navigation = state.of(userId);
    if (navigation === undefined) return ok;
    if (timeMs <= navigation.positionMs) return drop('late');
    const place = locateOnRoute(network, navigation, point, settings);
    state.move(userId, { ...place, positionMs: timeMs });
    counts.add('moved');
    return ok;
  };
  const forgotMs = new Map<number, number>();
  return {
    group: 'reroute',
    startAt: 'earliest',
    state: jsonState({
      layout: 2,
      tilesetId: network.tilesetId,
      fresh: () => new ActiveNavigations(network),
      toPlain: (navigations): readonly ActiveNavigation[] => [...navigations.all()],
      fromPlain: (plain) => new ActiveNavigations(network, plain),
      carryOver(plain, tilesetId) {
        // Edges are stored as numbers, which are meaningless on other roads: the navigations are then read
        // from the log again.
        if (before?.tilesetId !== tilesetId) throw new Error(`it belongs to the tileset ${tilesetId}`);
        return new ActiveNavigations(
          network,
          plain.flatMap((navigation) => carryNavigation(navigation, before, network) ?? []),
        );
      },
    }),
    inputs: [
      each(codecs.navSessionChanged, ({ message }, { state, partition }) => {
        if (clock() - message.changedMs > settings.idleMs) return drop('old');
        if (state.size >= navigationsMax && state.of(message.userId) === undefined) return drop('full');
        state.apply(message, message.changedMs - settings.positionAgeMaxMs);
        rerouter.meet(partition, message.userId);
        counts.add('sessions');
        return ok;
      }),
      // Our own decisions, read back: a restart must not take them again.
      each(codecs.navRouteChanged, ({ message }, { state }) => {
        state.reroute(message);
        return ok;
      }),
      each(codecs.navProgress, ({ message }, context) => {
        const point = { lat: message.latE7 / E7, lng: message.lngE7 / E7 };
        return move(context, message.userId, point, message.timeMs);
      }),
      each(codecs.locationBatchRecorded, ({ message: { userId, points, receivedMs } }, context) => {
        if (context.state.of(userId) === undefined) return ok;
        let newest = 0;
        for (let i = 1; i < points.count; i++) if (points.timeMs[i]! > points.timeMs[newest]!) newest = i;
        const ageMs = receivedMs - points.timeMs[newest]!;
        if (points.count === 0 || Math.abs(ageMs) > settings.positionAgeMaxMs) return drop('old');
        const point = { lat: points.latE7[newest]! / E7, lng: points.lngE7[newest]! / E7 };
        return move(context, userId, point, points.timeMs[newest]!);
      }),
    ],
    tick: {
      everyMs: rerouteTickMs,
      run: async (context) => {
        if (clock() - (forgotMs.get(context.partition) ?? 0) >= forgetEveryMs) {
          forgotMs.set(context.partition, clock());
          context.state.forgetIdle(clock() - settings.idleMs);
        }
        for (const change of await rerouter.look(context.partition, context.state))
          context.emit(codecs.navRouteChanged, change.userId, change);
      },
    },
  };
}
