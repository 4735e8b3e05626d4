import type {
  TransportListener,
  TransportSocket,
  UpgradeRequest,
} from '#platform/http-transport/http-transport.js';
import type { Logger } from '#platform/telemetry/logger.js';
import type { Counter, Metrics } from '#platform/telemetry/metrics.js';
import { bearerToken } from '../admission/admit-with-token.js';
import type { TrustedOrigins } from '../cors.js';
import type { HttpAnswer } from '../http-types.js';
import type { Authentication, Authenticator, Identity } from '../identity.js';
import { hasAnyScope } from '../identity.js';
import {
  socketBackpressureBytesMax,
  socketBadFramesMax,
  socketHelloMs,
  socketIdleS,
  socketMessageBurst,
  socketMessagesPerS,
  socketPayloadBytesMax,
  socketsMax,
  socketsPerIdentityMax,
  tokenBytesMax,
} from '../limits.js';
import { problem, problems } from '../problem.js';
import type { Exchange } from '../response/exchange.js';
import { type Validator, validator } from '../validator.js';
import { ClientSocket } from './client-socket.js';
import { parseJson } from './parse-json.js';
import { type SocketLimits, type SocketRoute, socketCloseCodes } from './socket-types.js';

/** Any socket route: frames were checked against its own schema before they reach it. */
export type AnySocketRoute = SocketRoute<never, never>;

export interface SocketHubOptions {
  readonly route: AnySocketRoute;
  readonly authenticator: Authenticator;
  readonly trusted: TrustedOrigins;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Unix milliseconds, for the expiry of tokens. */
  readonly wallClock?: () => number;
}

const sweepEveryMs = 250;
const earlyFramesMax = 16;

/** All connections of one WebSocket path. */
export class SocketHub {
  readonly #route: SocketRoute<unknown, unknown>;
  readonly #options: SocketHubOptions;
  readonly #limits: SocketLimits;
  readonly #checkFrame: Validator;
  readonly #sockets = new Set<ClientSocket>();
  readonly #perUser = new Map<string, number>();
  readonly #wallClock: () => number;
  readonly #refused: Counter;
  #sweeper: NodeJS.Timeout | undefined;

  constructor(options: SocketHubOptions) {
    const { route, metrics } = options;
    // Erases the frame type: the validator compiled from the route's schema runs before `onFrame`.
    this.#route = route as unknown as SocketRoute<unknown, unknown>;
    this.#options = options;
    this.#wallClock = options.wallClock ?? Date.now;
    this.#limits = {
      socketsMax,
      perIdentityMax: socketsPerIdentityMax,
      payloadBytesMax: socketPayloadBytesMax,
      backpressureBytesMax: socketBackpressureBytesMax,
      messagesPerS: socketMessagesPerS,
      messageBurst: socketMessageBurst,
      helloMs: socketHelloMs,
      idleS: socketIdleS,
      ...route.limits,
    };
    this.#checkFrame = validator(route.frame);
    const labels = { path: route.path };
    this.#refused = metrics.counter(
      'websocket_refused_total',
      'Sockets closed because of their frames.',
      labels,
    );
    const open = metrics.gauge('websocket_open', 'Sockets that are open.', labels);
    metrics.onScrape(() => open.set(this.#sockets.size));
  }

  get size(): number {
    return this.#sockets.size;
  }

  /** `open` makes the exchange for an upgrade request, or has already refused it. */
  register(listener: TransportListener, open: (request: UpgradeRequest) => Exchange | undefined): void {
    listener.addSocketPath({
      path: this.#route.path,
      payloadBytesMax: this.#limits.payloadBytesMax,
      backpressureBytesMax: this.#limits.backpressureBytesMax,
      idleS: this.#limits.idleS,
      receive: (request) => {
        const exchange = open(request);
        if (exchange !== undefined) this.#upgrade(exchange, request);
      },
    });
  }

  /** Asks every client to reconnect, spread over time so that they do not all reconnect at once. */
  async closeAll(spreadMs: number): Promise<void> {
    clearInterval(this.#sweeper);
    const sockets = [...this.#sockets];
    const perStep = Math.max(100, Math.ceil(sockets.length / Math.max(1, spreadMs / 10)));
    for (let at = 0; at < sockets.length; at += perStep) {
      for (const socket of sockets.slice(at, at + perStep))
        socket.close(socketCloseCodes.restart, 'restarting');
      if (at + perStep < sockets.length) await new Promise((wake) => setTimeout(wake, 10));
    }
  }

  #upgrade(exchange: Exchange, request: UpgradeRequest): void {
    const { headers } = exchange.facts;
    const protocol = this.#chooseProtocol(headers.get('sec-websocket-protocol'));
    const refusal = this.#refuseUpgrade(headers.get('origin'), headers.get('host'), protocol);
    if (refusal !== undefined) {
      exchange.answer(refusal);
      return;
    }
    const proceed = (identity: Identity | undefined) => {
      if (exchange.over) return;
      const socket = new ClientSocket(exchange.clientAddress(), identity, this.#limits, performance.now());
      exchange.upgraded();
      request.accept(
        {
          opened: (driver) => this.#open(socket, driver),
          received: (message, isBinary) => this.#receive(socket, message, isBinary),
          closed: (code) => this.#forget(socket, code),
        },
        protocol ?? '',
      );
    };
    const authorization = headers.get('authorization');
    if (authorization === undefined) {
      proceed(undefined);
      return;
    }
    const decide = (outcome: Authentication) => {
      if (outcome.ok && hasAnyScope(outcome.identity, this.#route.scopes)) proceed(outcome.identity);
      else exchange.answer(this.#refuseToken(outcome));
    };
    const token = bearerToken(authorization);
    if (token === undefined) {
      exchange.answer(problem(problems.unauthenticated, 'The Authorization header has no bearer token.'));
      return;
    }
    const outcome = this.#verify(token);
    if (outcome instanceof Promise)
      outcome.then(decide, (error: unknown) => this.#failUpgrade(exchange, error));
    else decide(outcome);
  }

  #open(socket: ClientSocket, driver: TransportSocket): void {
    socket.attach(driver);
    this.#sockets.add(socket);
    this.#sweeper ??= setInterval(() => this.#sweep(), sweepEveryMs).unref();
    if (socket.identified) this.#welcome(socket);
  }

  #refuseUpgrade(
    origin: string | undefined,
    host: string | undefined,
    protocol: string | undefined,
  ): HttpAnswer | undefined {
    if (origin !== undefined && !this.#options.trusted.has(origin) && !isOwnOrigin(origin, host)) {
      return problem(problems.forbidden, 'Pages of this origin may not open sockets here.');
    }
    if (protocol === undefined) {
      return problem(problems.malformed, `Subprotocols: ${this.#route.subprotocols.join(', ')}.`);
    }
    if (this.#sockets.size >= this.#limits.socketsMax) {
      return problem(problems.overloaded, undefined, { retryAfterS: 2 });
    }
    return undefined;
  }

  #refuseToken(outcome: Authentication): HttpAnswer {
    if (outcome.ok) {
      return problem(problems.forbidden, `One of these scopes is needed: ${this.#route.scopes.join(', ')}.`);
    }
    return outcome.reason === 'unavailable'
      ? problem(problems.unavailable, outcome.detail, { retryAfterS: 5 })
      : problem(problems.unauthenticated, outcome.detail);
  }

  #failUpgrade(exchange: Exchange, error: unknown): void {
    this.#options.logger.error('an upgrade failed', { error, requestId: exchange.facts.requestId });
    exchange.answer(problem(problems.internal));
  }

  /** Otherwise, an exception in here would reach the transport and end the process. */
  #verify(token: string): Authentication | Promise<Authentication> {
    try {
      return this.#options.authenticator.verify(token);
    } catch (error) {
      return Promise.reject(error as Error);
    }
  }

  /** The empty text if the client offers none; nothing if it offers only unknown ones. */
  #chooseProtocol(offered: string | undefined): string | undefined {
    if (offered === undefined) return '';
    const names = offered.split(',').map((name) => name.trim());
    return this.#route.subprotocols.find((name) => names.includes(name));
  }

  #receive(socket: ClientSocket, message: Uint8Array, isBinary: boolean): void {
    if (!socket.open) return;
    if (!socket.bucket.take(performance.now())) {
      this.#refused.add();
      socket.close(socketCloseCodes.tooManyMessages, 'too many messages');
      return;
    }
    const json = isBinary ? undefined : parseJson(message);
    if (json?.ok !== true) {
      this.#countBad(socket, json === undefined ? 'Frames are JSON text.' : json.detail);
      return;
    }
    const frame = json.value;
    const token = helloToken(frame);
    if (token !== undefined) this.#hello(socket, token);
    else if (socket.early !== undefined) {
      if (socket.early.push(frame) > earlyFramesMax) socket.closeUnauthenticated('say hello first');
    } else if (!socket.identified) socket.closeUnauthenticated('say hello first');
    else this.#deliver(socket, frame);
  }

  #deliver(socket: ClientSocket, frame: unknown): void {
    const wrong = this.#checkFrame(frame);
    if (wrong !== undefined) {
      const [first] = wrong;
      this.#countBad(socket, `The frame is invalid at ${first?.pointer || 'its root'}: ${first?.message}.`);
      return;
    }
    this.#run(socket, () => this.#route.onFrame(socket, frame));
  }

  #countBad(socket: ClientSocket, detail: string): void {
    socket.badFrames += 1;
    if (socket.badFrames > socketBadFramesMax) {
      this.#refused.add();
      socket.close(socketCloseCodes.badFrames, 'too many bad frames');
    } else socket.refuse('bad-frame', detail);
  }

  #hello(socket: ClientSocket, token: string): void {
    const decide = (outcome: Authentication) => {
      if (socket.open) this.#settleHello(socket, outcome);
    };
    socket.early ??= [];
    const outcome = this.#verify(token);
    if (outcome instanceof Promise) {
      outcome.then(decide, (error: unknown) => {
        this.#options.logger.error('a hello failed', { error, socket: socket.id });
        socket.close(1011, 'failed');
      });
    } else decide(outcome);
  }

  #settleHello(socket: ClientSocket, outcome: Authentication): void {
    const early = socket.early ?? [];
    socket.early = undefined;
    if (!outcome.ok) {
      if (outcome.reason === 'unavailable') socket.close(1013, 'try again later');
      else socket.closeUnauthenticated(outcome.reason === 'expired' ? 'token expired' : 'bad token');
    } else if (!hasAnyScope(outcome.identity, this.#route.scopes)) {
      socket.closeUnauthenticated('scope missing');
    } else if (!socket.identified) {
      socket.identify(outcome.identity);
      this.#welcome(socket);
    } else if (socket.identity.userId === outcome.identity.userId) {
      socket.identify(outcome.identity);
    } else {
      socket.closeUnauthenticated('another user');
    }
    for (const frame of early) if (socket.open) this.#deliver(socket, frame);
  }

  #welcome(socket: ClientSocket): void {
    const { userId } = socket.identity;
    const others = this.#perUser.get(userId) ?? 0;
    this.#perUser.set(userId, others + 1);
    this.#run(socket, () => this.#route.onOpen(socket));
    if (others >= this.#limits.perIdentityMax) {
      this.#refused.add();
      socket.close(socketCloseCodes.tooManyMessages, 'too many sockets of one user');
    }
  }

  #forget(socket: ClientSocket, code: number): void {
    socket.detach();
    this.#sockets.delete(socket);
    if (!socket.identified) return;
    const { userId } = socket.identity;
    const others = (this.#perUser.get(userId) ?? 1) - 1;
    if (others === 0) this.#perUser.delete(userId);
    else this.#perUser.set(userId, others);
    this.#run(socket, () => this.#route.onClose(socket, code));
  }

  #run(socket: ClientSocket, step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#options.logger.error('a socket handler failed', {
        error,
        path: this.#route.path,
        socket: socket.id,
      });
      socket.close(1011, 'failed');
    }
  }

  #sweep(): void {
    const now = performance.now();
    const wall = this.#wallClock();
    for (const socket of [...this.#sockets]) {
      if (!socket.identified) {
        if (now - socket.openedAt > this.#limits.helloMs) socket.closeUnauthenticated('no hello');
      } else if (wall >= socket.identity.expiresAt) socket.closeUnauthenticated('token expired');
    }
  }
}

function helloToken(frame: unknown): string | undefined {
  if (typeof frame !== 'object' || frame === null) return undefined;
  const { type, token } = frame as { readonly type?: unknown; readonly token?: unknown };
  if (type !== 'hello' || typeof token !== 'string' || token.length > tokenBytesMax) return undefined;
  return token;
}

function isOwnOrigin(origin: string, host: string | undefined): boolean {
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
}
