import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Planner } from '#api/nav/planner.js';
import { rerouteFrame } from '#api/push/frames.js';
import { navStreamRoute } from '#api/push/nav-stream-route.js';
import { NavigationBook } from '#api/push/navigation-book.js';
import { pushReroutes } from '#api/push/push-reroutes.js';
import type { SocketSink } from '#api/push/socket-sink.js';
import { PushDelays } from '#api/status/push-delays.js';
import type { Authenticator } from '#platform/auth/identity.js';
import { createHttpServer } from '#platform/http/http-server.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { openTopicCodecs } from '#platform/wire/topic-codecs.js';
import type { NavigationChanged } from '#schemas/messages.js';
import { betterRoute } from './messages.js';
import { serveOrders } from './server-process.js';

/**
 * Ours, with `frames` from a frame of its own for every socket on: written as JSON, sent with regard to what the client has
 * not read. Otherwise from the bytes of a decision to the frame: decoded, looked up in the book of navigations, numbered, kept for a resume,
 * written as JSON, sent with regard to what the client has not read. Each socket gets a route of its own. Tokens are
 * taken at their word and nothing is planned or written to the log: neither belongs to a push.
 */
const folder = mkdtempSync(join(tmpdir(), 'meridian-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const { navRouteChanged } = await openTopicCodecs(await openSchemaRegistry(`embedded:${folder}`));
const metrics = createMetrics({ processMetrics: false });
const nowMs = Date.now;
const book = new NavigationBook(nowMs, { routeOf: () => undefined, tilesOf: () => undefined });
const navigations: NavigationChanged[] = [];
const append = (records: readonly NavigationChanged[]): Promise<void> => {
  for (const record of records) if (record.routeVersion === 1) navigations.push(record);
  return Promise.resolve();
};
const place = { at: { lat: 49.41, lng: 8.69 }, edgeId: '1:1-2+', fraction: 0.5 };
const route = betterRoute('', '', 1);
const planner: Planner = {
  plan: () =>
    Promise.resolve({
      kind: 'routes',
      ...{
        origin: place,
        destination: place,
        metricVersion: 1,
        tilesetId: 'bench',
        metricPublishedMs: undefined,
      },
      routes: [
        {
          ...{ edgeIds: route.edgeIds, polyline: route.polyline, distanceM: route.distanceM },
          ...{ durationS: 600, freeFlowS: 600, tollM: 0, motorwayM: 0, ferryM: 0, liveEdges: 0 },
          ...{ summary: '', steps: [], warnings: [], tiles: ['0/1'] },
        },
      ],
    }),
};
const progress = { put: () => undefined };
const scopes = ['driver'] as const;
const authenticator: Authenticator = {
  verify: (token) => ({
    ok: true,
    identity: { userId: token, scopes, expiresAt: Number.MAX_SAFE_INTEGER },
  }),
};
const sinks: SocketSink[] = [];
const navStream = navStreamRoute({ book, planner, append, progress, nowMs }, silentLogger);
const watched: typeof navStream = {
  ...navStream,
  onOpen(socket) {
    navStream.onOpen(socket);
    if (socket.data !== undefined) sinks.push(socket.data.sink);
  },
};
const server = createHttpServer({
  ...{ name: 'public', listener: 'public', routes: [], authenticator, logger: silentLogger, metrics },
  sockets: [watched],
});
const push = pushReroutes({ book, append, delays: new PushDelays(metrics), metrics, nowMs });
type RerouteFrame = ReturnType<typeof rerouteFrame>;

const batchRecords = 500;
/** `decisions`: from the bytes of the log on. `frames`: from the frames that the book would make, ready to be sent. */
const from = process.argv[2] === 'frames' ? 'frames' : 'decisions';
let values: readonly Uint8Array[] = [];
let frames: readonly (readonly [SocketSink, RerouteFrame])[] = [];

const { port } = await server.listen(0);
serveOrders(port, {
  prepare(nth) {
    if (from === 'frames')
      frames = sinks.map((sink, i) => {
        const { navigationId, userId } = navigations[i]!;
        return [sink, rerouteFrame(betterRoute(navigationId, userId, nth), nth)];
      });
    else
      values = navigations.map(({ navigationId, userId }) =>
        navRouteChanged.encode(betterRoute(navigationId, userId, nth)),
      );
  },
  async push() {
    for (const [sink, frame] of frames) sink.send(frame);
    // In batches, as they come from the log.
    for (let at = 0; at < values.length; at += batchRecords) {
      await push(values.slice(at, at + batchRecords).map((value) => navRouteChanged.decode(value)));
      await turn();
    }
  },
  openSockets: () => book.active,
});
