import type {
  HttpTransport,
  SocketListener,
  SocketPath,
  TransportAnswer,
  TransportListener,
  TransportRequest,
} from '#platform/http-transport/http-transport.js';
import { requestTimeoutMs } from '#simulated-city/limits.js';
import type { NavSocket, NavSocketListener } from '#simulated-city/nav-client.js';
import type { HttpReply } from '#simulated-city/platform-client.js';
import { outside, type SimulatedProcess, type VirtualClock } from './virtual-clock.js';

/** Probabilities of a request; zero once the faults have stopped. */
export interface NetworkFaults {
  lostRequests: number;
  lostAnswers: number;
}

export interface SimulatedNetworkOptions {
  readonly clock: VirtualClock;
  readonly random: () => number;
  readonly faults: NetworkFaults;
  /** Longest time that a message is in flight, milliseconds; a third of it is usual. */
  readonly delayMaxMs: number;
}

interface Server {
  readonly owner: SimulatedProcess;
  readonly receive: (request: TransportRequest) => void;
  readonly paths: Map<string, SocketPath>;
  /** Called when the process dies. */
  readonly open: Set<() => void>;
}

const delayMinMs = 5;
const abnormalClosure = 1006;

/** Phones, servers and what is between them: HTTP requests and WebSockets in memory and in virtual time. */
export class SimulatedNetwork {
  readonly #options: SimulatedNetworkOptions;
  readonly #servers = new Map<number, Server>();

  constructor(options: SimulatedNetworkOptions) {
    this.#options = options;
  }

  /** What the present process serves HTTP with. */
  transport(): HttpTransport {
    const { owner } = this.#options.clock;
    return {
      ...{ name: 'node:http', canSharePort: false, idleS: 30, headBytesMax: 16_384 },
      createListener: (receive) => this.#listener({ owner, receive, paths: new Map(), open: new Set() }),
    };
  }

  /** Sends a request from a phone. Rejects when no answer comes. */
  post(
    port: number,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: Uint8Array,
  ): Promise<HttpReply> {
    const { clock, random, faults } = this.#options;
    return new Promise((resolve, reject) => {
      const fail = (reason: string): void => {
        timeout.isCancelled = true;
        reject(new Error(reason));
      };
      const timeout = clock.at(requestTimeoutMs, () => fail('no answer in time'), outside);
      const isLost = faults.lostRequests > 0 && random() < faults.lostRequests;
      const isUnheard = faults.lostAnswers > 0 && random() < faults.lostAnswers;
      if (isLost) return;
      clock.at(
        this.#delayMs(),
        () => {
          const server = this.#servers.get(port);
          if (server === undefined) {
            this.#later(() => fail('connection refused'));
            return;
          }
          const cut = (): void => this.#later(() => fail('connection reset'));
          server.open.add(cut);
          clock.become(server.owner);
          server.receive(
            requestOf({ method: 'POST', path, headers, body }, (answer) => {
              server.open.delete(cut);
              if (isUnheard) return;
              this.#later(() => {
                timeout.isCancelled = true;
                resolve(answer);
              });
            }),
          );
        },
        outside,
      );
    });
  }

  /** Opens a WebSocket from a phone. */
  connect(port: number, path: string, subprotocol: string, listener: NavSocketListener): NavSocket {
    const { clock } = this.#options;
    const link = new Link(this.#options, () => this.#delayMs(), listener);
    link.toServer(() => {
      const server = this.#servers.get(port);
      const socketPath = server?.paths.get(path);
      if (server === undefined || socketPath === undefined) {
        link.toPhone(() => listener.closed('socket failed'));
        return;
      }
      clock.become(server.owner);
      const headers = { 'sec-websocket-protocol': subprotocol };
      const request = requestOf({ method: 'GET', path, headers, body: noBytes }, () =>
        link.toPhone(() => listener.closed('socket refused')),
      );
      socketPath.receive({
        ...request,
        accept: (accepted) => link.accepted(accepted, server),
      });
    });
    return link;
  }

  /** The sockets and requests of a dead process break, and nobody listens on its ports. */
  cut(owner: SimulatedProcess): void {
    for (const [port, server] of this.#servers) {
      if (server.owner !== owner) continue;
      this.#servers.delete(port);
      for (const cut of server.open) cut();
    }
  }

  #listener(server: Server): TransportListener {
    return {
      addSocketPath: (path) => void server.paths.set(path.path, path),
      listen: async (_, port) => {
        if (this.#servers.has(port)) return undefined;
        this.#servers.set(port, server);
        return port;
      },
      stopListening: () => this.#remove(server),
      close: () => this.#remove(server),
    };
  }

  #remove(server: Server): void {
    for (const [port, known] of this.#servers) if (known === server) this.#servers.delete(port);
  }

  #later(run: () => void): void {
    this.#options.clock.at(this.#delayMs(), run, outside);
  }

  #delayMs(): number {
    const { random, delayMaxMs } = this.#options;
    return delayMinMs + delayMaxMs * random() ** 2;
  }
}

/** One WebSocket. What is sent in one direction arrives in its order. */
class Link implements NavSocket {
  readonly #options: Pick<SimulatedNetworkOptions, 'clock'>;
  readonly #delayMs: () => number;
  readonly #phone: NavSocketListener;
  #server:
    | { readonly owner: SimulatedProcess; readonly listener: SocketListener; readonly over: () => void }
    | undefined;
  #toServerMs = 0;
  #toPhoneMs = 0;
  #isOpen = false;
  #isOver = false;

  constructor(
    options: Pick<SimulatedNetworkOptions, 'clock'>,
    delayMs: () => number,
    phone: NavSocketListener,
  ) {
    this.#options = options;
    this.#delayMs = delayMs;
    this.#phone = phone;
  }

  toServer(run: () => void): void {
    const { clock } = this.#options;
    this.#toServerMs = Math.max(this.#toServerMs, clock.nowMs + this.#delayMs());
    clock.at(this.#toServerMs - clock.nowMs, run, outside);
  }

  toPhone(run: () => void): void {
    const { clock } = this.#options;
    this.#toPhoneMs = Math.max(this.#toPhoneMs, clock.nowMs + this.#delayMs());
    clock.at(this.#toPhoneMs - clock.nowMs, run, outside);
  }

  accepted(listener: SocketListener, server: Pick<Server, 'owner' | 'open'>): void {
    const broken = (): void => {
      this.#isOver = true;
      this.toPhone(() => this.#phone.closed('connection reset'));
    };
    server.open.add(broken);
    this.#server = { owner: server.owner, listener, over: () => void server.open.delete(broken) };
    this.toPhone(() => {
      this.#isOpen = true;
      this.#phone.opened();
    });
    const end = (code: number): void => this.#end(code, () => this.#phone.closed(`closed with ${code}`));
    listener.opened({
      send: (text) => this.sendToPhone(text),
      bufferedBytes: () => 0,
      end,
      terminate: () => end(abnormalClosure),
    });
  }

  sendToPhone(text: string | Uint8Array): 'sent' | 'dropped' {
    if (this.#isOver) return 'dropped';
    const copy = typeof text === 'string' ? text : Buffer.from(text).toString();
    this.toPhone(() => this.#phone.received(copy));
    return 'sent';
  }

  /** From the phone. */
  send(text: string): void {
    if (!this.#isOpen) return;
    this.#atServer(({ listener }) => listener.received(Buffer.from(text), false));
  }

  close(): void {
    this.#isOpen = false;
    this.#atServer(() => this.#end(1000, () => this.#phone.closed('closed')));
  }

  #atServer(run: (server: { readonly listener: SocketListener }) => void): void {
    this.toServer(() => {
      const server = this.#server;
      if (server === undefined || this.#isOver || server.owner.isDead) return;
      this.#options.clock.become(server.owner);
      run(server);
    });
  }

  #end(code: number, tell: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#server?.over();
    this.toPhone(() => {
      this.#isOpen = false;
      tell();
    });
    this.#server?.listener.closed(code);
  }
}

const noBytes = new Uint8Array(0);

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

function requestOf(
  { method, path, headers, body }: Sent,
  onAnswer: (reply: HttpReply) => void,
): TransportRequest {
  const length = body.length === 0 ? {} : { 'content-length': String(body.length) };
  const fields = Object.entries({ host: 'platform', ...length, ...headers });
  return {
    ...{ method, path, query: '' },
    readHeaders(sink) {
      for (const [name, value] of fields) sink.add(name, value);
    },
    clientAddress: () => '127.0.0.1',
    // A phone waits for its answer until it gives up, and the server does not learn of that.
    onAborted: () => undefined,
    onBody: (listener) => queueMicrotask(() => listener(body, true)),
    pauseBody: () => undefined,
    resumeBody: () => undefined,
    cut: () => onAnswer({ status: 400, retryAfter: undefined, text: '' }),
    answer(answer) {
      onAnswer(replyOf(answer));
      answer.onSent();
    },
  };
}

function replyOf({ head, body }: TransportAnswer): HttpReply {
  const text = typeof head === 'string' ? head : Buffer.from(head).toString('latin1');
  const retryAfter = /\r\nretry-after: ([^\r]+)/i.exec(text)?.[1];
  const answer =
    typeof body === 'string' ? body : body instanceof Uint8Array ? Buffer.from(body).toString() : '';
  return { status: Number(text.slice(0, 3)), retryAfter, text: answer };
}
