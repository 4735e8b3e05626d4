import type { Socket } from 'node:net';

/** Requests that wait on one connection for the previous answer. */
const pipelinedMax = 4_096;

/**
 * Serves the requests of one connection one after the other. After an answer that closes the connection,
 * later requests are never read, even if they arrived in the same packet.
 */
export class NodeConnection {
  readonly #socket: Socket;
  readonly #waiting: (() => void)[] = [];
  #isBusy = false;
  #isClosing = false;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Whether a request has no answer yet. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** The last answer was given. */
  get isClosing(): boolean {
    return this.#isClosing;
  }

  enqueue(serve: () => void): void {
    if (this.#isClosing) return;
    if (!this.#isBusy) {
      this.#isBusy = true;
      serve();
    } else if (this.#waiting.length < pipelinedMax) this.#waiting.push(serve);
    else this.#socket.destroy();
  }

  /** The present request has its answer; `close`: none follows. */
  answered(close: boolean): void {
    this.#isBusy = false;
    if (close) {
      this.#isClosing = true;
      this.#waiting.length = 0;
      return;
    }
    const next = this.#waiting.shift();
    if (next === undefined) return;
    this.#isBusy = true;
    // Not recursively from within the answer: a packet may hold thousands of requests.
    queueMicrotask(() => {
      if (!this.#socket.destroyed) next();
    });
  }
}
