import { enginePlanner } from '#api/engine/engine-planner.js';
import { engineRoads } from '#api/engine/engine-roads.js';
import { engineTraffic } from '#api/engine/engine-traffic.js';
import { modeMetrics } from '#api/engine/mode-metrics.js';
import { RoutesUnavailable } from '#api/ports/planner.js';
import { ReleaseHolder } from '#api/release/release-holder.js';
import { TileCache } from '#api/road-tiles/tile-cache.js';
import { startApi } from '#api/start-api.js';
import { locationRoute } from '#ingest/location-route.js';
import { followMatchedEdges } from '#ingest/matched-edges.js';
import { followNavigatingUsers } from '#ingest/navigating-users.js';
import { SendHints } from '#ingest/send-hint.js';
import { Shedding } from '#ingest/shedding.js';
import { UserPatternStore } from '#map-data/learned/user-pattern-store.js';
import { MetricCoverage } from '#map-data/metric/metric-coverage.js';
import { MetricFollower } from '#map-data/metric/metric-follower.js';
import type { Authenticator } from '#platform/http/identity.js';
import { createHttpServer } from '#platform/http/server/http-server.js';
import { MemoryLiveCache } from '#platform/live-cache/memory-live-cache.js';
import type { LocationStore } from '#platform/location-store/location-store.js';
import type { Metrics } from '#platform/telemetry/metrics.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { WorkerPool } from '#platform/worker-pool/worker-pool.js';
import { startCustomization } from '#processors/customization/start-customization.js';
import { driverPseudonym } from '#processors/matching/pseudonym.js';
import { startMatching } from '#processors/matching/start-matching.js';
import { startReroute } from '#processors/reroute/start-reroute.js';
import type { GroupDeps } from '#processors/start-group.js';
import { startTraffic } from '#processors/traffic/start-traffic.js';
import { answerRouteTask, type RouteTask } from '#routing-engine/tasks/route-task.js';
import { trafficOfStart } from '../streams/virtual-roads.js';
import { countingLogger } from './counting-logger.js';
import { operatorToken } from './operator.js';
import { type PlatformWorld, ports } from './platform-world.js';

/** Starts one program of the platform in the present process; rejects when it cannot start. */
export type Program = (world: PlatformWorld, metrics: Metrics) => Promise<void>;

const pseudonymKey = 'simulated';
/** How long a search takes in its thread. */
const searchMsMax = 4;
const hourMs = 3_600_000;

export const programs = {
  ingest: startIngestProgram,
  matching: async (world, metrics) => {
    await startMatching({ ...groupDeps(world, metrics), network: world.network, pseudonymKey });
  },
  traffic: async (world, metrics) => {
    await startTraffic({
      ...groupDeps(world, metrics),
      network: world.network,
      settings: trafficOfStart,
    });
  },
  customization: async (world, metrics) => {
    await startCustomization({ ...groupDeps(world, metrics), network: world.network });
  },
  reroute: startRerouteProgram,
  api: startApiProgram,
} satisfies Record<string, Program>;

export type ProgramName = keyof typeof programs;

export const programNames = Object.keys(programs) as ProgramName[];

export const newMetrics = (): Metrics => createMetrics({ processMetrics: false });

function groupDeps(world: PlatformWorld, metrics: Metrics): GroupDeps & { readonly codecs: TopicCodecs } {
  const { log, codecs, objects } = world;
  return { log, codecs, objects, logger: countingLogger(world), metrics };
}

/** Who signs tokens is no part of the simulation: a phone's token is the name of its user. */
const authenticator: Authenticator = {
  verify: (token) => ({
    ok: true,
    identity: {
      userId: token,
      scopes: [token === operatorToken ? 'operator' : 'driver'],
      expiresAt: Date.now() + 24 * hourMs,
    },
  }),
};

async function startIngestProgram(world: PlatformWorld, metrics: Metrics): Promise<void> {
  const { log, codecs, phoneNetwork } = world;
  const logger = countingLogger(world);
  const server = createHttpServer({
    ...{
      name: 'ingest',
      listener: 'public',
      transport: phoneNetwork.transport(),
      starting: true,
      routes: [],
    },
    ...{ authenticator, logger, metrics },
  });
  await server.listen(ports.ingest);
  const navigating = await followNavigatingUsers({ log, codec: codecs.navSessionChanged, logger });
  const driverOf = (userId: string, nowMs: number) => driverPseudonym(pseudonymKey, userId, nowMs);
  const matches = await followMatchedEdges({ log, codec: codecs.trafficEdgeObserved, driverOf, logger });
  const isNavigating = (userId: string) => navigating.has(userId);
  const door = locationRoute({
    ...{ log, codec: codecs.locationBatchRecorded, cache: liveCache(), nowMs: Date.now },
    batchesPerUserMax: 600,
    hints: new SendHints({ isNavigating, matches }),
    shedding: new Shedding(isNavigating, metrics),
  });
  server.complete({ routes: [door] });
}

async function startRerouteProgram(world: PlatformWorld, metrics: Metrics): Promise<void> {
  const { network, landmarks } = world;
  const { metric, gap } = await openRoads(world, 'reroute');
  const pool = searchPool(world);
  await startReroute({
    ...groupDeps(world, metrics),
    ...{ network, metric, gap },
    findRoute: (task) => pool.run('default', task),
    landmarks: () => ({ made: Promise.resolve(landmarks), stop: async () => {} }),
  });
}

async function startApiProgram(world: PlatformWorld, metrics: Metrics): Promise<void> {
  const { log, codecs, network, phoneNetwork } = world;
  const logger = countingLogger(world);
  const server = createHttpServer({
    ...{
      name: 'public',
      listener: 'public',
      transport: phoneNetwork.transport(),
      starting: true,
      routes: [],
    },
    ...{ authenticator, logger, metrics },
  });
  await server.listen(ports.api);
  const { metric, gap, blocked } = await openRoads(world, 'api');
  const shown = () => ({ metric: metric.current, publishedMs: metric.publishedMs });
  const driving = () => {
    const reason = gap();
    if (reason !== undefined) throw new RoutesUnavailable(reason);
    return shown();
  };
  const pool = searchPool(world);
  const others = modeMetrics(network, { blocked, version: () => metric.current.version });
  const release = {
    roads: engineRoads(network, 'simulated'),
    planner: enginePlanner({ network, pool, driving, others }),
    traffic: engineTraffic(network, shown),
    roadTiles: new TileCache(() => Promise.reject(new Error('The simulation cuts no tiles.'))),
  };
  const api = await startApi({
    ...{ instanceId: 'api', log, codecs, locations: noHistory, live: liveCache(), languages: ['en'] },
    releases: new ReleaseHolder({ release, close: async () => {} }, () => undefined),
    patterns: new UserPatternStore(world.objects),
    pseudonym: (userId, nowMs) => driverPseudonym(pseudonymKey, userId, nowMs),
    ...{ adapters: {}, logger, metrics, nowMs: Date.now },
  });
  await api.ready;
  server.complete({ routes: api.routes, sockets: api.sockets });
}

async function openRoads(world: PlatformWorld, instanceId: string) {
  const { network, objects, log, codecs } = world;
  const following = { network, log, instanceId, logger: countingLogger(world) };
  const metric = await MetricFollower.open({ ...following, objects, codec: codecs.roadMetricCustomized });
  world.followers.set(instanceId, metric);
  const coverage = await MetricCoverage.open({ ...following, metric, codec: codecs.trafficIncidentChanged });
  return { metric, gap: () => coverage.gap(), blocked: () => coverage.blocked() };
}

const liveCache = (): MemoryLiveCache => MemoryLiveCache.withDefaults(() => performance.now());

/** The threads that search routes, in this one: an answer takes a moment. */
function searchPool({ clock, network }: PlatformWorld): WorkerPool {
  return {
    ...{ threads: 1, running: 0, queued: 0, close: async () => {} },
    run<Input, Output>(name: string, input: Input) {
      if (name !== 'default') return Promise.reject(new Error(`The simulation has no task ${name}.`));
      return new Promise<Output>((resolve) => {
        clock.at(1 + Math.random() * searchMsMax, () =>
          resolve(answerRouteTask(network, input as RouteTask) as Output),
        );
      });
    },
  };
}

const absent = async (): Promise<never> => {
  throw new Error('The simulation has no location store.');
};
const noHistory: LocationStore = {
  ...{ prepare: absent, write: absent, read: absent, erase: absent, check: absent, close: absent },
};
