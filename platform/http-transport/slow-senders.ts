import type { IncomingMessage } from 'node:http';

/** Like uWebSockets.js: a body must bring 16 KiB each second, measured over this time, or be complete. */
const withinMs = 10_000;
const bytesMin = (withinMs / 1_000) * 16 * 1_024;

interface Progress {
  bytes: number;
  since: number;
}

/** Closes connections that send request bodies too slowly. */
export class SlowSenders {
  readonly #progress = new Map<IncomingMessage, Progress>();
  readonly #timer: NodeJS.Timeout;

  constructor(checkEveryMs: number) {
    this.#timer = setInterval(() => this.#check(), checkEveryMs).unref();
  }

  /** Until the request is complete or its connection is closed. */
  watch(request: IncomingMessage): void {
    this.#progress.set(request, { bytes: request.socket.bytesRead, since: performance.now() });
  }

  close(): void {
    clearInterval(this.#timer);
    this.#progress.clear();
  }

  #check(): void {
    const now = performance.now();
    for (const [request, progress] of this.#progress) {
      const { socket } = request;
      if (request.complete || socket.destroyed) this.#progress.delete(request);
      // We do not read, so the client cannot send.
      else if (request.isPaused() || socket.bytesRead - progress.bytes >= bytesMin) {
        progress.bytes = socket.bytesRead;
        progress.since = now;
      } else if (now - progress.since > withinMs) socket.destroy();
    }
  }
}
