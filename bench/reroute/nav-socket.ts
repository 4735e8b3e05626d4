import { WebSocket } from 'ws';
import {
  type ClientFrame,
  navStreamPath,
  navStreamSubprotocol,
  type ServerFrame,
} from '#schemas/nav-stream.js';

export type StartedFrame = Extract<ServerFrame, { readonly type: 'started' }>;
export type RerouteFrame = Extract<ServerFrame, { readonly type: 'reroute' }>;

const attemptsMax = 20;

/** One navigating user on the socket. */
export class NavSocket {
  readonly #socket: WebSocket;
  readonly #onReroute: (frame: RerouteFrame, atMs: number) => void;
  #answer: ((frame: StartedFrame | undefined) => void) | undefined;
  #ready: () => void = () => undefined;
  readonly #opened: Promise<void>;

  /** Opens, and retries as a phone does while the server sheds load. */
  static async open(
    apiUrl: string,
    token: string,
    onReroute: (frame: RerouteFrame, atMs: number) => void,
  ): Promise<NavSocket> {
    for (let attempt = 1; ; attempt++) {
      const socket = new NavSocket(apiUrl, token, onReroute);
      try {
        await socket.#opened;
        return socket;
      } catch (error) {
        if (attempt === attemptsMax) throw error;
        await new Promise((wake) => setTimeout(wake, attempt * 50));
      }
    }
  }

  private constructor(apiUrl: string, token: string, onReroute: (frame: RerouteFrame, atMs: number) => void) {
    this.#onReroute = onReroute;
    this.#socket = new WebSocket(apiUrl.replace(/^http/, 'ws') + navStreamPath, [navStreamSubprotocol], {
      headers: { authorization: `Bearer ${token}` },
      perMessageDeflate: false,
    });
    this.#opened = new Promise((resolve, reject) => {
      this.#ready = resolve;
      this.#socket.on('error', reject);
      this.#socket.on('close', () => {
        this.#answer?.(undefined);
        reject(new Error('the socket was closed'));
      });
    });
    this.#opened.catch(() => undefined);
    this.#socket.on('message', (data) => this.#take(String(data)));
  }

  /** Undefined when the platform has no route, or is busy. */
  start(
    frame: Omit<Extract<ClientFrame, { readonly type: 'start' }>, 'type'>,
  ): Promise<StartedFrame | undefined> {
    return new Promise((resolve) => {
      this.#answer = resolve;
      this.#socket.send(JSON.stringify({ type: 'start', ...frame }));
    });
  }

  close(): void {
    this.#socket.close();
  }

  #take(text: string): void {
    // Before the frame is parsed: the time of arrival counts.
    const atMs = performance.timeOrigin + performance.now();
    const frame = JSON.parse(text) as ServerFrame;
    switch (frame.type) {
      case 'ready':
        this.#ready();
        break;
      case 'started':
        this.#answer?.(frame);
        this.#answer = undefined;
        break;
      case 'error':
        this.#answer?.(undefined);
        this.#answer = undefined;
        break;
      case 'reroute':
        this.#onReroute(frame, atMs);
        break;
      case 'unreachable':
      case 'ended':
      case 'pong':
        break;
    }
  }
}
