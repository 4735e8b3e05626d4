import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { tilesOnEventLoop } from '#api/map/tiles-on-event-loop.js';
import type { RoutingQuestions } from '#api/ports/routing-questions.js';
import { ReleaseHolder } from '#api/release/release-holder.js';
import type { ServedRelease } from '#api/release/served-release.js';
import { type Api, type ApiDeps, startApi } from '#api/start-api.js';
import { UserPatternStore } from '#map-data/learned/user-pattern-store.js';
import { type DevelopmentIssuer, openDevelopmentIssuer } from '#platform/auth/development-issuer.js';
import { createJwtAuthenticator } from '#platform/auth/jwt-authenticator.js';
import type { EventLog } from '#platform/event-log/event-log.js';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import { createHttpServer, type HttpServer } from '#platform/http/server/http-server.js';
import { openLiveCache } from '#platform/live-cache/open-live-cache.js';
import type { LocationStore } from '#platform/location-store/location-store.js';
import { openLocationStore } from '#platform/location-store/open-location-store.js';
import { DirectoryObjectStore } from '#platform/object-store/directory-object-store.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import type { Metrics } from '#platform/telemetry/metrics.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { openTopicCodecs, type TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { Scope } from '#schemas/http/route-contract.js';
import type { ClientFrame, ServerFrame } from '#schemas/nav-stream.js';
import { topics } from '#schemas/topics.js';
import { eventually } from '../eventually.js';

const issuerName = 'https://issuer.test';
const audience = 'meridian';

/**
 * The platform below a gateway: embedded log, stores and issuer in one folder. Gateways start and stop above
 * it.
 */
export interface Ground {
  readonly log: EventLog;
  readonly codecs: TopicCodecs;
  readonly locations: LocationStore;
  readonly objects: ObjectStore;
  readonly issuer: DevelopmentIssuer;
  token(sub: string, scope: Scope, ttlS?: number): Promise<string>;
  close(): Promise<void>;
}

export async function openGround(): Promise<Ground> {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-api-'));
  const log = await openEventLog(`embedded:${join(folder, 'log')}`);
  await log.createTopics(topics);
  const registry = await openSchemaRegistry(`embedded:${join(folder, 'schemas')}`);
  const codecs = await openTopicCodecs(registry);
  const objects = await DirectoryObjectStore.open(join(folder, 'objects'));
  const locations = await openLocationStore(`lmdb:${join(folder, 'locations')}`);
  await locations.prepare();
  const issuer = await openDevelopmentIssuer({
    folder: join(folder, 'issuer'),
    issuer: issuerName,
    audience,
    internalAudience: 'meridian-internal',
    production: false,
  });
  return {
    log,
    codecs,
    locations,
    objects,
    issuer,
    token: (sub, scope, ttlS) =>
      issuer.issueToken({ sub, scopes: [scope], ...(ttlS === undefined ? {} : { ttlS }) }),
    async close() {
      await log.close();
      await registry.close();
      await locations.close();
      await objects.close();
      await rm(folder, { recursive: true });
    },
  };
}

export interface ServedApi {
  readonly url: string;
  readonly api: Api;
  readonly metrics: Metrics;
  readonly releases: ReleaseHolder;
  /** Calls an operation; the body of the response is parsed if it is JSON. */
  call(method: string, path: string, options?: CallOptions): Promise<Called>;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly token?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where the operation is served; default `public`. */
  readonly listener?: 'public' | 'internal';
}

export interface Called {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  // biome-ignore lint/suspicious/noExplicitAny: the answers of all operations; tests compare them
  readonly json: any;
}

type TownDeps = Pick<ServedRelease, 'roads' | 'planner' | 'traffic'>;
type Over = Partial<
  ApiDeps & Pick<ServedRelease, 'routing' | 'graphTiles' | 'traces' | 'lines' | 'geocoder' | 'map'>
>;

/** A release that needs no closing. */
export const releaseOf = (town: TownDeps, more: Partial<ServedRelease> = {}): ReleaseHolder =>
  new ReleaseHolder(
    {
      release: { ...town, roadTiles: tilesOnEventLoop(town.roads), ...more },
      close: () => Promise.resolve(),
    },
    (error) => {
      throw error;
    },
  );

/** Every question has the same answer. */
export const routingOf = (ask: () => Promise<never>): RoutingQuestions => ({
  guided: ask,
  isochrone: ask,
  nearest: ask,
  table: ask,
  through: ask,
  trace: ask,
  trip: ask,
});

let instances = 0;

export async function serveApi(
  ground: Ground,
  town: TownDeps,
  { routing, graphTiles, traces, lines, geocoder, map, ...over }: Over = {},
  { development = true } = {},
): Promise<ServedApi> {
  const metrics = createMetrics({ processMetrics: false });
  instances += 1;
  const releases = releaseOf(town, {
    ...(routing === undefined ? {} : { routing }),
    ...(graphTiles === undefined ? {} : { graphTiles }),
    ...(traces === undefined ? {} : { traces }),
    ...(lines === undefined ? {} : { lines }),
    ...(geocoder === undefined ? {} : { geocoder }),
    ...(map === undefined ? {} : { map }),
  });
  const api = await startApi({
    instanceId: `test-${process.pid}-${instances}`,
    log: ground.log,
    codecs: ground.codecs,
    locations: ground.locations,
    patterns: new UserPatternStore(ground.objects),
    live: await openLiveCache('memory:'),
    ...(development ? { issuer: ground.issuer } : {}),
    languages: ['en', 'sv'],
    adapters: { log: 'embedded' },
    logger: silentLogger,
    metrics,
    nowMs: Date.now,
    pseudonym: (userId) => userId.length,
    releases,
    ...over,
  });
  await api.ready;
  const serverOf = (listener: 'public' | 'internal'): HttpServer =>
    createHttpServer({
      name: listener,
      listener,
      routes: api.routes,
      sockets: listener === 'public' ? api.sockets : [],
      authenticator: createJwtAuthenticator({ keys: ground.issuer.keys, issuer: issuerName, audience }),
      // On a busy machine any ten concurrent requests would be too many for one turn.
      limits: { turnBudgetMs: 60_000 },
      logger: silentLogger,
      metrics,
    });
  const [server, internal] = [serverOf('public'), serverOf('internal')];
  const [{ port }, { port: internalPort }] = await Promise.all([server.listen(0), internal.listen(0)]);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    api,
    metrics,
    releases,
    async call(method, path, { token, body, headers = {}, listener = 'public' } = {}) {
      const base = listener === 'public' ? url : `http://127.0.0.1:${internalPort}`;
      const answer = await fetch(base + path, {
        method,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const bytes = new Uint8Array(await answer.arrayBuffer());
      const isJson = /json/.test(answer.headers.get('content-type') ?? '');
      const json: unknown = isJson ? JSON.parse(Buffer.from(bytes).toString()) : undefined;
      return { status: answer.status, headers: answer.headers, bytes, json };
    },
    async close() {
      await Promise.all([server.drain(1_000), internal.drain(1_000)]);
      await api.close();
    },
  };
}

/** Waits until there is a value; after the deadline it fails with the name of what it waited for. */
export const until = <Value>(
  what: string,
  look: () => Value | undefined | Promise<Value | undefined>,
): Promise<Value> =>
  eventually(async () => {
    const value = await look();
    if (value === undefined) throw new Error(`timed out waiting for ${what}`);
    return value;
  });

/** A navigating client on a real socket, which records what it receives. */
export class NavClient {
  readonly frames: ServerFrame[] = [];
  readonly socket: WebSocket;
  closeCode: number | undefined;

  constructor(url: string, token?: string, headers: Readonly<Record<string, string>> = {}) {
    this.socket = new WebSocket(`${url.replace('http', 'ws')}/v1/nav/stream`, ['nav.v1.json'], { headers });
    this.socket.on('message', (data) => this.frames.push(JSON.parse(String(data)) as ServerFrame));
    this.socket.on('close', (code) => {
      this.closeCode = code;
    });
    this.socket.on('error', () => undefined);
    if (token !== undefined) this.socket.on('open', () => this.send({ type: 'hello', token }));
  }

  send(frame: ClientFrame | object | string): void {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  next<Type extends ServerFrame['type']>(
    type: Type,
    beyond = 0,
  ): Promise<Extract<ServerFrame, { readonly type: Type }>> {
    return until(`a ${type} frame`, () => {
      const found = this.frames.filter((frame) => frame.type === type)[beyond];
      return found as Extract<ServerFrame, { readonly type: Type }> | undefined;
    });
  }

  closed(): Promise<number> {
    return until('the socket to close', () => this.closeCode);
  }

  async close(): Promise<void> {
    this.socket.close();
    await this.closed();
  }
}
