import type { Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { SocketListener, SocketPath, TransportSocket } from './http-transport.js';
import type { NodeRequest } from './node-request.js';

/** How long a client may take to answer a close frame. */
const closeWithinMs = 5_000;
const checkEveryMs = 1_000;

/** The WebSockets of one path, on `ws`. */
export class NodeSocketPath {
  readonly #path: SocketPath;
  readonly #server: WebSocketServer;
  readonly #sockets = new Set<NodeSocket>();
  readonly #timer: NodeJS.Timeout;
  #protocol = '';

  constructor(path: SocketPath) {
    this.#path = path;
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: path.payloadBytesMax,
      closeTimeout: closeWithinMs,
      handleProtocols: () => (this.#protocol === '' ? false : this.#protocol),
    } as ConstructorParameters<typeof WebSocketServer>[0]);
    this.#timer = setInterval(() => this.#check(), checkEveryMs).unref();
  }

  upgrade(request: NodeRequest, rest: Buffer): void {
    this.#path.receive(
      Object.assign(request, {
        accept: (listener: SocketListener, protocol: string) =>
          this.#accept(request, rest, listener, protocol),
      }),
    );
  }

  close(): void {
    clearInterval(this.#timer);
    for (const socket of this.#sockets) socket.terminate();
  }

  #accept(
    { incoming, response }: NodeRequest,
    rest: Buffer,
    listener: SocketListener,
    protocol: string,
  ): void {
    const { socket } = incoming;
    response.detachSocket(socket);
    this.#protocol = protocol;
    this.#server.handleUpgrade(incoming, socket, rest, (driver) => {
      const opened = new NodeSocket(driver, socket, listener, () => this.#sockets.delete(opened));
      this.#sockets.add(opened);
      listener.opened(opened);
    });
  }

  #check(): void {
    const now = performance.now();
    for (const socket of this.#sockets) socket.check(now, this.#path.idleS * 1_000);
  }
}

class NodeSocket implements TransportSocket {
  readonly #driver: WebSocket;
  readonly #connection: Socket;
  readonly #listener: SocketListener;
  readonly #onGone: () => void;
  #isOver = false;
  #bytesRead = 0;
  #quietSince = performance.now();
  #isPinged = false;

  constructor(driver: WebSocket, connection: Socket, listener: SocketListener, onGone: () => void) {
    this.#driver = driver;
    this.#connection = connection;
    this.#listener = listener;
    this.#onGone = onGone;
    driver.on('message', (data, isBinary) => {
      if (!this.#isOver) listener.received(data as Buffer, isBinary);
    });
    // The close event that follows has all information.
    driver.on('error', () => undefined);
    driver.on('close', (code) => {
      onGone();
      this.#over(code);
    });
  }

  send(text: string | Uint8Array): 'sent' | 'queued' {
    this.#driver.send(text, { binary: false });
    return this.#driver.bufferedAmount === 0 ? 'sent' : 'queued';
  }

  bufferedBytes(): number {
    return this.#driver.bufferedAmount;
  }

  end(code: number, reason: string): void {
    this.#driver.close(code, reason);
    this.#over(code);
  }

  terminate(): void {
    this.#driver.terminate();
    this.#onGone();
    this.#over(abnormalClosure);
  }

  /** Pings a client after half of its allowed idle time, and disconnects it after all of it. */
  check(now: number, idleMs: number): void {
    if (this.#connection.bytesRead !== this.#bytesRead) {
      this.#bytesRead = this.#connection.bytesRead;
      this.#quietSince = now;
      this.#isPinged = false;
    } else if (now - this.#quietSince > idleMs) this.terminate();
    else if (!this.#isPinged && now - this.#quietSince > idleMs / 2) {
      this.#isPinged = true;
      this.#driver.ping();
    }
  }

  #over(code: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#listener.closed(code);
  }
}

const abnormalClosure = 1006;
