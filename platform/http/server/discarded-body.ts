import type { TransportRequest } from '#platform/http-transport/http-transport.js';
import { discardedBytesMax, discardedMs } from '../limits.js';

/**
 * Receives the rest of a refused body without keeping it. If the connection were closed while the client is
 * sending, the system would reset it, and a proxy would report 502 in place of the refusal.
 */
export class DiscardedBody {
  #left = discardedBytesMax;
  readonly #timer: NodeJS.Timeout;
  #onEnd: (() => void) | undefined;

  /** `onEnd` is called once: at the end of the body, or when it takes too many bytes or too long. */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
    this.#timer = setTimeout(() => this.#end(), discardedMs).unref();
  }

  take(bytes: number, isLast: boolean): void {
    this.#left -= bytes;
    if (isLast || this.#left < 0) this.#end();
  }

  #end(): void {
    clearTimeout(this.#timer);
    const onEnd = this.#onEnd;
    this.#onEnd = undefined;
    onEnd?.();
  }
}

/** A client that waits for `100 Continue`, or announces too much, gets its refusal at once. */
export function discardBody(
  request: TransportRequest,
  announced: 'none' | 'chunked' | number,
  isAwaited: boolean,
  onEnd: () => void,
): void {
  if (announced === 'none' || isAwaited || (announced !== 'chunked' && announced > discardedBytesMax))
    onEnd();
  else {
    const rest = new DiscardedBody(onEnd);
    request.onBody((piece, isLast) => rest.take(piece.byteLength, isLast));
  }
}
