import type { UserPatternStore } from '#map-data/learned/user-pattern-store.js';
import type { DevelopmentIssuer } from '#platform/auth/development-issuer.js';
import type { EventLog } from '#platform/event-log/event-log.js';
import { type Follower, followTopic } from '#platform/event-log/follow-topic.js';
import type { Route } from '#platform/http/http-types.js';
import type { SocketRoute } from '#platform/http/server/socket-types.js';
import type { LiveCache } from '#platform/live-cache/live-cache.js';
import type { LocationStore } from '#platform/location-store/location-store.js';
import type { Logger } from '#platform/telemetry/logger.js';
import type { Metrics } from '#platform/telemetry/metrics.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { ClientFrame } from '#schemas/nav-stream.js';
import { developmentSessionRoute } from './development/session-route.js';
import { fleetRoute } from './fleet/fleet-route.js';
import { FleetStore } from './fleet/fleet-store.js';
import { geocodeRoutes } from './geocode/geocode-routes.js';
import { locationHistory } from './history/location-history.js';
import * as limits from './http/limits.js';
import { incidentRoutes } from './incidents/incident-routes.js';
import { IncidentStore } from './incidents/incident-store.js';
import { isochroneRoutes } from './isochrone/isochrone-routes.js';
import { mapRoutes } from './map/map-routes.js';
import type { PreparedMaps } from './map/prepared-maps.js';
import { matchRoute } from './match/match-route.js';
import { navRoutes } from './nav/nav-routes.js';
import { roadProposalRoutes } from './new-roads/road-proposal-routes.js';
import { RoadProposalStore } from './new-roads/road-proposal-store.js';
import { nominatimRoutes } from './nominatim/nominatim-routes.js';
import { type GatewayView, gatewayView } from './operations/gateway-view.js';
import { statusOf } from './operations/status-of.js';
import { osrmServices } from './osrm/services.js';
import { destinationRoute } from './personalization/destination-route.js';
import { patternsOf } from './personalization/known-patterns.js';
import { patternRoutes } from './personalization/pattern-routes.js';
import { Permissions } from './personalization/permissions.js';
import { userNavRoute } from './personalization/user-nav-route.js';
import { photonRoutes } from './photon/photon-routes.js';
import type { NavSessionDeps } from './push/nav-session.js';
import { type NavSocket, navStreamRoute } from './push/nav-stream-route.js';
import { navigationRoute } from './push/navigation-route.js';
import { NavigationStore } from './push/navigation-store.js';
import { Presence } from './push/presence.js';
import { ProgressWriter } from './push/progress-writer.js';
import { pushReroutes } from './push/push-reroutes.js';
import { readDecision } from './push/route-decision.js';
import { openPartOf, routeOfRecord, tilesOfRoute } from './push/route-of-record.js';
import { sessionLog } from './push/session-log.js';
import type { Releases } from './release/served-release.js';
import { reportRoute } from './reports/report-route.js';
import { PushDelays } from './status/push-delays.js';
import { statusRoute } from './status/status-route.js';
import { feedRoutes } from './traffic/feed-routes.js';
import { trafficRoute } from './traffic/traffic-route.js';

type ApiTopics =
  | 'locationBatchRecorded'
  | 'trafficIncidentChanged'
  | 'trafficClosureReported'
  | 'navSessionChanged'
  | 'navProgress'
  | 'navRouteChanged'
  | 'mapRoadProposed'
  | 'mapRoadReviewed'
  | 'userPersonalizationChanged';

export interface ApiDeps {
  /** Unique among the running instances, for example host name and process id. */
  readonly instanceId: string;
  readonly log: EventLog;
  readonly codecs: Pick<TopicCodecs, ApiTopics>;
  readonly locations: LocationStore;
  /** The usual places and routes that users allowed to be learned. */
  readonly patterns: Pick<UserPatternStore, 'read'>;
  /** Instances use this cache to tell each other which users are connected. */
  readonly live: LiveCache;
  readonly releases: Releases;
  /** Maps by their ids; without them only the tiles of the present release are served. */
  readonly maps?: PreparedMaps;
  /** The pseudonym of a user's drives today. */
  readonly pseudonym: (userId: string, nowMs: number) => number;
  /** Languages of guidance. */
  readonly languages: readonly string[];
  /** Present only where the development issuer signs the tokens. */
  readonly issuer?: DevelopmentIssuer;
  /** PUBLIC_URL or TRUSTED_PROXIES is set. The development issuer then gives no tokens to pages. */
  readonly isBehindProxy?: boolean;
  /** The adapter of each port, for people. */
  readonly adapters: Readonly<Record<string, string>>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
}

export interface Api {
  /** Mounted on the public and the internal server; each serves those of its own listener. */
  readonly routes: readonly Route[];
  readonly sockets: readonly SocketRoute<ClientFrame, NavSocket>[];
  /** What operators see of it. */
  readonly view: GatewayView;
  /** Resolves when incidents and navigations have been read from the log. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

const sweepEveryMs = 60_000;

/** The public gateway: its operations, its socket, and the consumers that keep them current. */
export async function startApi(deps: ApiDeps): Promise<Api> {
  const { log, codecs, releases, metrics, nowMs } = deps;
  const logger = deps.logger.child({ room: 'api' });
  const incidents = new IncidentStore(nowMs);
  const fleet = new FleetStore(nowMs);
  const newRoads = new RoadProposalStore(() => releases.current.roads.tilesetId);
  const permissions = new Permissions();
  const patterns = patternsOf(deps.patterns, permissions);
  const presence = new Presence({
    cache: deps.live,
    metrics,
    nowMs,
    onElsewhere: (navigationId) => book.attendedElsewhere(navigationId),
  });
  const book = new NavigationStore(
    nowMs,
    {
      routeOf: (record) => routeOfRecord(record, releases.current.roads),
      tilesOf: (route) => tilesOfRoute(route, releases.current.roads),
      openPart: (route) => {
        const { roads, traffic } = releases.current;
        const [live, closed] = [traffic(), incidents.closedEdges()];
        const isClosed = (edgeId: string): boolean => {
          const edge = roads.edgeOf(edgeId);
          return closed.has(edgeId) || (edge !== undefined && live.isClosed(edge));
        };
        return openPartOf(route, roads, isClosed);
      },
    },
    presence,
  );
  presence.start();
  const planner: NavSessionDeps['planner'] = {
    plan: (request, options) => releases.use((release) => release.planner.plan(request, options)),
  };
  const delays = new PushDelays(metrics);
  const append = sessionLog(log, codecs.navSessionChanged);
  const progress = new ProgressWriter(log, codecs.navProgress, logger);
  const sweeper = setInterval(() => {
    const endings = book.sweep();
    if (endings.length === 0) return;
    append(endings).catch((error: unknown) =>
      logger.warn('writing the end of abandoned navigations failed', { count: endings.length, error }),
    );
  }, sweepEveryMs).unref();

  const follow = { log, logger, instanceId: deps.instanceId };
  const followers: Follower[] = [];
  let closing = false;
  const followed = async (begin: () => Promise<Follower>): Promise<void> => {
    if (closing) return;
    const follower = await begin();
    followers.push(follower);
    await (closing ? follower.close() : follower.ready);
  };
  const { navRouteChanged } = codecs;
  const decisions = {
    topic: navRouteChanged.topic,
    decode: (value: Uint8Array) => readDecision(navRouteChanged.bodyOf(value)),
  };
  const push = pushReroutes({ book, append, delays, metrics, nowMs });

  const ready = Promise.all([
    followed(() =>
      followTopic({
        ...follow,
        codec: codecs.trafficIncidentChanged,
        from: 'beginning',
        apply: (changes) => {
          for (const incident of changes) incidents.apply(incident);
        },
      }),
    ),
    followed(() =>
      followTopic({
        ...follow,
        codec: codecs.mapRoadProposed,
        from: 'beginning',
        apply: (proposed) => {
          for (const road of proposed) newRoads.applyProposal(road);
        },
      }),
    ),
    followed(() =>
      followTopic({
        ...follow,
        codec: codecs.mapRoadReviewed,
        from: 'beginning',
        apply: (reviews) => {
          for (const review of reviews) newRoads.applyReview(review);
        },
      }),
    ),
    followed(() =>
      followTopic({
        ...follow,
        codec: codecs.userPersonalizationChanged,
        from: 'beginning',
        apply: (changes) => {
          for (const change of changes) permissions.apply(change);
        },
      }),
    ),
    followed(() =>
      followTopic({
        ...follow,
        codec: codecs.locationBatchRecorded,
        from: 'end',
        apply: (batches) => {
          for (const batch of batches) fleet.apply(batch);
        },
      }),
    ),
    followed(() =>
      followTopic({
        ...follow,
        codec: codecs.navSessionChanged,
        from: 'beginning',
        apply: (records) => {
          for (const record of records) book.apply(record);
        },
      }),
    ).then(() =>
      // After the navigations were read, so that a recent reroute finds its navigation.
      followed(() =>
        followTopic({
          ...follow,
          codec: decisions,
          from: 'beginning',
          wants: ({ timestampMs }) => nowMs() - timestampMs < limits.backlogKeptMs,
          apply: push,
        }),
      ),
    ),
  ]).then(() => undefined);

  return {
    routes: [
      ...navRoutes({ releases, languages: deps.languages, nowMs }),
      ...(releases.current.traces === undefined ? [] : [matchRoute(releases)]),
      ...(releases.current.routing === undefined
        ? []
        : [...osrmServices(releases, deps.languages, nowMs), ...isochroneRoutes(releases)]),
      ...geocodeRoutes(() => releases.current.geocoder),
      ...nominatimRoutes({ finder: () => releases.current.geocoder?.places, nowMs }),
      ...photonRoutes(() => releases.current.geocoder?.places),
      navigationRoute(book),
      trafficRoute(releases),
      ...(releases.current.lines === undefined ? [] : feedRoutes({ incidents, releases, nowMs })),
      ...incidentRoutes({ book: incidents, releases, log, codec: codecs.trafficIncidentChanged, nowMs }),
      reportRoute({ releases, log, codec: codecs.trafficClosureReported, pseudonym: deps.pseudonym, nowMs }),
      ...roadProposalRoutes({ book: newRoads, log, codec: codecs.mapRoadReviewed, nowMs }),
      fleetRoute(fleet, (userId) => book.isNavigating(userId), nowMs),
      locationHistory(deps.locations, nowMs),
      ...patternRoutes({
        ...{ patterns, permissions, log, nowMs },
        codec: codecs.userPersonalizationChanged,
      }),
      destinationRoute({ patterns, coverage: () => releases.current.roads.area.bounds, nowMs }),
      userNavRoute({ releases, languages: deps.languages, nowMs, patterns }),
      ...mapRoutes(releases, deps.maps),
      statusRoute(() => statusOf(deps, { incidents, fleet, book, presence, delays })),
      ...(deps.issuer === undefined
        ? []
        : [developmentSessionRoute(deps.issuer, nowMs, deps.isBehindProxy === true)]),
    ],
    sockets: [navStreamRoute({ book, planner, append, progress, nowMs }, logger)],
    view: gatewayView({ releases, incidents, fleet, book, presence }),
    ready,
    async close() {
      closing = true;
      clearInterval(sweeper);
      await Promise.all(followers.map((follower) => follower.close()));
      await progress.close();
      await presence.close();
    },
  };
}
