import type { Random } from '#platform/random/random.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { Counts } from '#processors/counts.js';
import { MatchingStep } from '#processors/matching/matching-step.js';
import { matchingDefaults } from '#processors/matching/settings.js';
import type { UserTrack } from '#processors/matching/user-track.js';
import { ActiveNavigations } from '#processors/reroute/active-navigations.js';
import { locateOnRoute } from '#processors/reroute/locate-on-route.js';
import { Rerouter, rerouteOutcomes } from '#processors/reroute/rerouter.js';
import { rerouteDefaults } from '#processors/reroute/settings.js';
import { avoidMask } from '#routing-engine/network/edge-flags.js';
import type { RoutePath } from '#routing-engine/route/find-route.js';
import { answerRouteTask } from '#routing-engine/tasks/route-task.js';
import type { LocationBatch } from '#schemas/location.js';
import {
  type NavigationChanged,
  type NavigationProgress,
  navigationState,
  type RouteChanged,
} from '#schemas/messages.js';
import { E7, type LatLng, type UserId } from '#schemas/units.js';
import type { NavClient, NavEvents } from '#simulated-city/nav-client.js';
import type { LocationTuple, PlatformClient, SendOutcome } from '#simulated-city/platform-client.js';
import { VirtualRoads, type VirtualRoadsOptions } from './virtual-roads.js';

export interface VirtualPlatformOptions extends VirtualRoadsOptions {
  readonly random: Random;
  /** Longest time that a request is in flight, milliseconds; a third of it is usual. */
  readonly delayMaxMs: number;
  /** What happens to navigations, for predictions of their ends. */
  readonly navigations?: {
    /** `path`: of a navigation that begins. */
    change(record: NavigationChanged, path?: RoutePath): void;
    move(progress: NavigationProgress): void;
  };
}

interface Session {
  record: NavigationChanged;
  readonly events: NavEvents;
}

const sweepIdleMs = 10_000;
const metricEveryMs = 200;

/**
 * The steps that the platform runs, joined as its topics join them, in one thread and in virtual time:
 * matching, traffic, customization and reroute are the product's own; HTTP, the log and the sockets are
 * replaced by delays.
 */
export class VirtualPlatform implements PlatformClient {
  readonly #options: VirtualPlatformOptions;
  readonly #matching: MatchingStep;
  readonly #tracks = new Map<string, UserTrack>();
  readonly #roads: VirtualRoads;
  readonly #navigations: ActiveNavigations;
  readonly #rerouter: Rerouter;
  readonly #sessions = new Map<string, Session>();
  #sequence = 0;

  constructor(options: VirtualPlatformOptions) {
    const { network, clock } = options;
    this.#options = options;
    this.#matching = new MatchingStep({ network, settings: matchingDefaults, pseudonymKey: 'virtual' });
    this.#roads = new VirtualRoads(options);
    this.#navigations = new ActiveNavigations(network);
    const roads = this.#roads;
    this.#rerouter = new Rerouter({
      network,
      clock: () => clock.nowMs,
      settings: rerouteDefaults,
      findRoute: async (task) => answerRouteTask(network, task),
      landmarks: () => undefined,
      gap: () => undefined,
      logger: silentLogger,
      counts: new Counts(createMetrics(), 'reroute', 'reroute', rerouteOutcomes),
      metric: {
        get current() {
          return roads.metric;
        },
        onChange: (listener) => roads.onChange(listener),
      },
    });
    this.#rerouter.begin();
    this.#every(1_000, () => roads.tick());
    this.#every(metricEveryMs, () => this.#customize());
    this.#every(sweepIdleMs, () => this.#settleIdle());
  }

  get roads(): Pick<VirtualRoads, 'memory' | 'remember'> {
    return this.#roads;
  }

  async token(sub: string): Promise<string> {
    return sub;
  }

  sendBatch(token: string, batchId: string, locs: readonly LocationTuple[]): Promise<SendOutcome> {
    return new Promise((resolve) => {
      this.#later(() => {
        this.#take(token, batchId, locs);
        this.#later(() => resolve({ outcome: 'accepted' }));
      });
    });
  }

  async close(): Promise<void> {}

  navigate(
    token: string,
    origin: LatLng & { readonly headingDeg: number },
    destination: LatLng,
    events: NavEvents,
  ): NavClient {
    let id: string | undefined;
    let over = false;
    this.#later(() => {
      if (over) return;
      const planned = this.#plan(token, origin, destination);
      if (planned === undefined) {
        events.lost('no route');
        return;
      }
      const { record, path } = planned;
      id = record.navigationId;
      this.#end(token);
      this.#sessions.set(token, { record, events });
      this.#session(record, path);
      this.#later(() => {
        if (!over) events.started(record.navigationId, routeBody(record));
      });
    });
    return {
      position: ({ lat, lng }, timestamp) => {
        if (id === undefined || over) return;
        const navigationId = id;
        this.#later(() => {
          this.#move(token, { lat, lng }, timestamp);
          const place = { latE7: Math.round(lat * E7), lngE7: Math.round(lng * E7) };
          this.#options.navigations?.move({ navigationId, userId: token, ...place, timeMs: timestamp });
        });
      },
      end: () => {
        over = true;
        this.#later(() => {
          if (this.#sessions.get(token)?.record.navigationId === id) this.#end(token);
        });
      },
    };
  }

  #later(run: () => void): void {
    const { clock, random, delayMaxMs } = this.#options;
    clock.at(20 + delayMaxMs * random.next() ** 2, run);
  }

  #every(everyMs: number, run: () => void): void {
    const { clock } = this.#options;
    const again = (): void => {
      run();
      clock.at(everyMs, again);
    };
    clock.at(everyMs, again);
  }

  #plan(
    userId: string,
    origin: LatLng & { headingDeg: number },
    destination: LatLng,
  ): { readonly record: NavigationChanged; readonly path: RoutePath } | undefined {
    const { network, clock } = this.#options;
    const { lat, lng, headingDeg } = origin;
    const outcome = answerRouteTask(network, {
      metric: this.#roads.metric,
      from: { point: { lat, lng }, headingDeg },
      to: { point: destination },
      avoid: avoidMask([]),
      alternatives: 0,
    });
    if (outcome.status !== 'ok') return undefined;
    const [route] = outcome.routes;
    const record = {
      navigationId: `nav-${++this.#sequence}`,
      userId,
      state: navigationState.started,
      tilesetId: network.tilesetId,
      destinationLatE7: Math.round(destination.lat * E7),
      destinationLngE7: Math.round(destination.lng * E7),
      edgeIds: Array.from(route!.path.edges, (edge) => network.edgeId(edge)),
      tiles: [],
      durationS: route!.path.durationMs / 1_000,
      distanceM: route!.path.lengthM,
      metricVersion: outcome.metricVersion,
      routeVersion: 1,
      avoid: [],
      changedMs: clock.nowMs,
    } satisfies NavigationChanged;
    return { record, path: route!.path };
  }

  #session(record: NavigationChanged, path?: RoutePath): void {
    const { clock, navigations } = this.#options;
    navigations?.change(record, path);
    this.#navigations.apply(record, record.changedMs - rerouteDefaults.positionAgeMaxMs);
    if (record.state !== navigationState.ended) this.#rerouter.meet(0, record.userId);
    // The topic of sessions is read beside the one of locations: what is later may be read earlier.
    clock.at(30, () => {
      const result = this.#matching.applyNavigation(this.#tracks.get(record.userId), record);
      this.#tracks.set(record.userId, result.track);
      this.#roads.observe(result.observations);
    });
  }

  #end(userId: string): void {
    const session = this.#sessions.get(userId);
    if (session === undefined) return;
    this.#sessions.delete(userId);
    this.#session({ ...session.record, state: navigationState.ended, changedMs: this.#options.clock.nowMs });
  }

  #move(userId: string, point: LatLng, timeMs: number): void {
    const navigation = this.#navigations.of(userId);
    if (navigation === undefined || timeMs <= navigation.positionMs) return;
    const place = locateOnRoute(this.#options.network, navigation, point, rerouteDefaults);
    this.#navigations.move(userId, { ...place, positionMs: timeMs });
  }

  #take(userId: string, batchId: string, locs: readonly LocationTuple[]): void {
    const { clock } = this.#options;
    const column = (at: number) => Float32Array.from(locs, (loc) => loc[at]!);
    const batch: LocationBatch = {
      userId: userId as UserId,
      batchId,
      receivedMs: clock.nowMs,
      points: {
        count: locs.length,
        latE7: Int32Array.from(locs, ([lat]) => Math.round(lat * E7)),
        lngE7: Int32Array.from(locs, ([, lng]) => Math.round(lng * E7)),
        timeMs: Float64Array.from(locs, ([, , timeMs]) => timeMs),
        accuracyM: column(3),
        speedMps: column(4),
        headingDeg: column(5),
      },
    };
    const [lat, lng, timeMs] = locs.at(-1)!;
    this.#move(userId, { lat, lng }, timeMs);
    const result = this.#matching.applyBatch(this.#tracks.get(userId), batch);
    this.#tracks.set(userId, result.track);
    this.#roads.observe(result.observations);
  }

  #settleIdle(): void {
    for (const [userId, track] of this.#tracks) {
      const settled = this.#matching.settle(userId, track, this.#options.clock.nowMs);
      if (settled.track === track) continue;
      this.#tracks.set(userId, settled.track);
      this.#roads.observe(settled.observations);
    }
  }

  #customize(): void {
    this.#roads.customize();
    void this.#rerouter.look(0, this.#navigations).then((changes) => {
      for (const change of changes) this.#reroute(change);
    });
  }

  #reroute(change: RouteChanged): void {
    const session = this.#sessions.get(change.userId);
    if (session?.record.navigationId !== change.navigationId) return;
    const { edgeIds, routeVersion, metricVersion, durationS, decidedMs } = change;
    session.record = {
      ...session.record,
      ...{ edgeIds, routeVersion, metricVersion, durationS },
      ...{ state: navigationState.rerouted, changedMs: decidedMs },
    };
    this.#session(session.record);
    const { record } = session;
    this.#later(() => session.events.rerouted(routeBody(record), change.reason, change.causedMs));
  }
}

const routeBody = (record: NavigationChanged) => ({
  polyline: '',
  distance_m: 0,
  duration_s: record.durationS,
  metric_version: record.metricVersion,
  edge_ids: [...record.edgeIds],
});
