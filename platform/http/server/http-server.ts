import type { HttpTransport } from '#platform/http-transport/http-transport.js';
import { openHttpTransport } from '#platform/http-transport/open-http-transport.js';
import { queueGauges } from '#platform/telemetry/bounded-queue.js';
import type { Logger } from '#platform/telemetry/logger.js';
import type { Metrics } from '#platform/telemetry/metrics.js';
import type { RateLimiting } from '../admission/admission.js';
import { InflightGate } from '../admission/inflight-gate.js';
import { trustedOrigins } from '../cors.js';
import { type Endpoint, endpointOfPage, endpointOfRoute, observer } from '../endpoint.js';
import type { Page, Route } from '../http-types.js';
import type { Authenticator } from '../identity.js';
import { inflightMax, turnBudgetMs } from '../limits.js';
import type { Metering } from '../metering.js';
import type { Forwarding } from '../proxy/forwarding.js';
import { RequestPipeline } from './request-pipeline.js';
import { RouteTable } from './route-table.js';
import { type AnySocketRoute, SocketHub } from './socket-hub.js';

export interface HttpServerOptions {
  /** Default: the one that `openHttpTransport('auto')` chooses. */
  readonly transport?: HttpTransport;
  /** For logs and error sentences: `public`, `internal`, `ingest`. */
  readonly name: string;
  /** Routes whose contract names only the other listener are left out, so that they do not exist here. */
  readonly listener: 'public' | 'internal';
  readonly routes: readonly Route[];
  readonly pages?: readonly Page[];
  readonly sockets?: readonly AnySocketRoute[];
  /** Needed as soon as one route requires scopes, and for sockets. */
  readonly authenticator?: Authenticator;
  readonly rateLimit?: RateLimiting;
  /** Needed as soon as one route requires an API key. */
  readonly metering?: Metering;
  /** Origins of foreign pages that browsers may let call this server. */
  readonly trustedOrigins?: readonly string[];
  /** Default: reached directly, under the name in the Host field. */
  readonly forwarding?: Forwarding;
  /** Writes a line of level `debug` for each request, with the address of its client. */
  readonly logsRequests?: boolean;
  readonly limits?: { readonly turnBudgetMs?: number; readonly inflightMax?: number };
  /** Several processes or threads on one port. Off: a second server on the port fails to start. */
  readonly sharePort?: boolean;
  /** Until `complete`, an unknown path is answered with 503. Clients would treat 404 as final. */
  readonly starting?: boolean;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** What a server serves. */
export type Served = Pick<HttpServerOptions, 'routes' | 'pages' | 'sockets' | 'metering'>;

export interface HttpServer {
  /** Port 0 takes a free one. Rejects with one clear sentence if the address cannot be bound. */
  listen(port: number, host?: string): Promise<{ readonly port: number; readonly host: string }>;
  /** Adds the routes that were not ready when the server was created with `starting`. */
  complete(more: Served): void;
  /** Accepts no new requests, lets running ones finish within the deadline, then closes. Never rejects. */
  drain(deadlineMs: number): Promise<void>;
  /** Closes at once. */
  close(): void;
  /** Requests without an answer yet. */
  readonly active: number;
}

/** Clients with an idle connection get this long to be answered with `Connection: close` before it is cut. */
const idleGraceMs = 200;
/** Sockets are closed spread over this time, so that clients do not all reconnect at once. */
const socketSpreadMs = 1_000;
const drainPollMs = 10;

/**
 * An HTTP server whose routes are values.
 *
 * ```ts
 * const names = { name: 'public', listener: 'public' };
 * const server = createHttpServer({ ...names, routes, authenticator, logger, metrics });
 * const { port } = await server.listen(8080);
 * ```
 */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { name, listener, logger, metrics } = options;
  const transport = options.transport ?? openHttpTransport('auto').transport;
  const table = new RouteTable<Endpoint>();
  const trusted = trustedOrigins(options.trustedOrigins ?? []);
  const { forwarding = {} } = options;
  // A proxy may rewrite the Host field, with which the origin of a page is compared.
  const ownPages = new Set([...trusted, ...ownOriginOf(forwarding)]);
  const places = options.limits?.inflightMax ?? inflightMax;
  const gate = new InflightGate(places);
  queueGauges(metrics)(`${name} requests`, () => gate.running, places);
  const rules = {
    authenticator: options.authenticator,
    rateLimit: options.rateLimit,
    metering: options.metering,
  };
  const pipeline = new RequestPipeline({
    table,
    rules,
    trusted,
    forwarding,
    logsRequests: options.logsRequests === true,
    gate,
    turnBudgetMs: options.limits?.turnBudgetMs ?? turnBudgetMs,
    logger,
    metrics,
  });
  pipeline.starting = options.starting === true;
  const transportListener = transport.createListener((request) => pipeline.receive(request));
  const hubs: SocketHub[] = [];
  let closed = false;

  function add({ routes, pages = [], sockets = [], metering }: Served): void {
    rules.metering ??= metering;
    for (const route of routes) {
      const { contract } = route;
      if (contract.listener !== 'both' && contract.listener !== listener) continue;
      if (contract.scopes !== 'open' && options.authenticator === undefined) {
        throw new Error(
          `${contract.operationId} asks for scopes, but the ${name} server has no authenticator`,
        );
      }
      if (contract.scopes === 'apiKey' && rules.metering === undefined) {
        throw new Error(`${contract.operationId} asks for an API key, but the ${name} server knows none`);
      }
      table.add(contract.method, contract.path, endpointOfRoute(route, metrics));
    }
    for (const page of pages) table.add('GET', page.path, endpointOfPage(page, metrics));
    for (const route of sockets) {
      if (options.authenticator === undefined) throw new Error(`${route.path} needs an authenticator`);
      const hub = new SocketHub({
        route,
        authenticator: options.authenticator,
        trusted: ownPages,
        logger,
        metrics,
      });
      const observe = observer(metrics, route.path);
      hub.register(transportListener, (request) => pipeline.receiveUpgrade(request, observe));
      hubs.push(hub);
    }
  }

  add(options);

  function close(): void {
    closed = true;
    transportListener.close();
  }

  return {
    async listen(port, host = '127.0.0.1') {
      if (options.sharePort === true && !transport.canSharePort) {
        throw new Error(
          `The ${name} server cannot share its port: node:http can from Node 22.12 on. Set HTTP_SERVER=uws.`,
        );
      }
      const bound = await transportListener.listen(host, port, options.sharePort === true);
      if (bound === undefined) {
        throw new Error(
          `The ${name} server cannot listen on ${host}:${port}: another program uses the port, ` +
            'or the address does not belong to this machine. Stop that program or choose another port.',
        );
      }
      logger.info('listening', { server: name, host, port: bound });
      return { port: bound, host };
    },
    complete(more) {
      add(more);
      pipeline.starting = false;
    },
    async drain(deadlineMs) {
      if (closed) return;
      const deadline = performance.now() + deadlineMs;
      const graceEnds = performance.now() + Math.min(idleGraceMs, deadlineMs);
      pipeline.closing = true;
      transportListener.stopListening();
      while (performance.now() < graceEnds || (pipeline.active > 0 && performance.now() < deadline)) {
        await new Promise((wake) => setTimeout(wake, drainPollMs));
      }
      await Promise.all(hubs.map((hub) => hub.closeAll(Math.min(socketSpreadMs, deadlineMs / 4))));
      if (pipeline.active > 0)
        logger.warn('closing with open requests', { server: name, open: pipeline.active });
      close();
    },
    close,
    get active() {
      return pipeline.active;
    },
  };
}

const ownOriginOf = ({ publicUrl }: Forwarding): readonly string[] =>
  publicUrl === undefined ? [] : [new URL(publicUrl).origin];
