import type { Socket } from '#platform/http/server/socket-types.js';
import type { ServerFrame } from '#schemas/nav-stream.js';
import { unreadBytesMax, unreadLookMs } from '../http/limits.js';
import type { WrittenFrame } from './frames.js';
import type { FrameSink } from './navigation-store.js';

/**
 * Frames to one socket. A slow client never gets a queue of stale routes: while it has much unread data, the
 * newest decision about a navigation's route waits here and replaces the previous one. Other frames are sent
 * immediately; the server disconnects a client that does not read them.
 */
export class SocketSink implements FrameSink {
  readonly #socket: Socket<unknown>;
  readonly #waiting = new Map<string, WrittenFrame>();
  #timer: NodeJS.Timeout | undefined;

  constructor(socket: Socket<unknown>) {
    this.#socket = socket;
  }

  send(frame: ServerFrame | WrittenFrame): void {
    if (!('text' in frame)) {
      this.#socket.send(frame);
      return;
    }
    if (frame.type === 'ended') this.#waiting.delete(frame.navigation_id);
    const isReplaceable = frame.type === 'reroute' || frame.type === 'unreachable';
    if (!isReplaceable || this.#socket.bufferedBytes <= unreadBytesMax) {
      this.#socket.send(frame.text);
      return;
    }
    this.#waiting.set(frame.navigation_id, frame);
    this.#timer ??= setInterval(() => this.#look(), unreadLookMs);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#waiting.clear();
  }

  #look(): void {
    for (const [id, frame] of this.#waiting) {
      if (this.#socket.bufferedBytes > unreadBytesMax) return;
      this.#waiting.delete(id);
      this.#socket.send(frame.text);
    }
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
