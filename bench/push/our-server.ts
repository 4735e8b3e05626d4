import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Planner } from '#api/ports/planner.js';
import { navStreamRoute } from '#api/push/nav-stream-route.js';
import { NavigationStore } from '#api/push/navigation-store.js';
import { pushFrames } from '#api/push/push-reroutes.js';
import { readDecision } from '#api/push/route-decision.js';
import { PushDelays } from '#api/status/push-delays.js';
import type { Authenticator } from '#platform/http/identity.js';
import { createHttpServer } from '#platform/http/server/http-server.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { openTopicCodecs } from '#platform/wire/topic-codecs.js';
import type { NavigationChanged } from '#schemas/messages.js';
import { betterRoute } from './messages.js';
import { serveOrders } from './server-process.js';

/**
 * Our server, from the bytes of a decision to the frame: read, looked up in the store of navigations,
 * numbered, kept for a resume, written as JSON, sent with regard to unread data; or, when all of that is
 * `ready`, the sending alone. Each socket gets a route of its own. Tokens are not verified and nothing is
 * planned or written to the log: neither belongs to a push.
 */
const folder = mkdtempSync(join(tmpdir(), 'meridian-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const { navRouteChanged } = await openTopicCodecs(await openSchemaRegistry(`embedded:${folder}`));
const metrics = createMetrics({ processMetrics: false });
const nowMs = Date.now;
const book = new NavigationStore(nowMs, {
  routeOf: () => undefined,
  tilesOf: () => undefined,
  openPart: (route) => route,
});
const navigations: NavigationChanged[] = [];
const append = (records: readonly NavigationChanged[]): Promise<void> => {
  for (const record of records) if (record.routeVersion === 1) navigations.push(record);
  return Promise.resolve();
};
const place = { at: { lat: 49.41, lng: 8.69 }, distanceM: 0, edgeId: '1:1-2+', fraction: 0.5 };
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
          ...{ edgeCount: route.edgeIds.length, edgeIds: () => route.edgeIds },
          ...{ polyline: route.polyline, distanceM: route.distanceM },
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
const server = createHttpServer({
  ...{ name: 'public', listener: 'public', routes: [], authenticator, logger: silentLogger, metrics },
  sockets: [navStreamRoute({ book, planner, append, progress, nowMs }, silentLogger)],
});
const push = pushFrames({ book, delays: new PushDelays(metrics), metrics, nowMs });

const batchRecords = 500;
let values: readonly Uint8Array[] = [];
let sends: Array<() => void> = [];

const { port } = await server.listen(0);
serveOrders(port, {
  prepare(nth, ready) {
    values = navigations.map(({ navigationId, userId }) =>
      navRouteChanged.encode(betterRoute(navigationId, userId, nth)),
    );
    sends = [];
    if (!ready) return;
    for (const value of values) {
      book.reroute(readDecision(navRouteChanged.bodyOf(value)), (sink, frame) => {
        sends.push(() => sink.send(frame));
      });
    }
    values = [];
  },
  async push() {
    for (const send of sends) send();
    // In batches, as they come from the log.
    for (let at = 0; at < values.length; at += batchRecords) {
      const batch = values.slice(at, at + batchRecords);
      push(batch.map((value) => readDecision(navRouteChanged.bodyOf(value))));
      await turn();
    }
  },
  openSockets: () => book.active,
});
