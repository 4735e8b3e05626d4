import type { TransportRequest } from '#platform/http-transport/http-transport.js';
import type { StreamedBody } from '../http-types.js';

/** Bytes that wait for the handler; above them the client is not read. */
const waitingBytesMax = 1024 * 1024;

/** The body exceeds the limit of its contract; the pipeline answers 413. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

/** The client disconnected before the body was complete. */
export class BodyIncomplete extends Error {
  override readonly name = 'BodyIncomplete';
}

type BodySource = Pick<TransportRequest, 'onBody' | 'pauseBody' | 'resumeBody'>;
const noBody = { pauseBody: () => {}, resumeBody: () => {} };

/** A body in pieces, at the pace of its reader: at most about a megabyte of it is in memory. */
export class BodyStream implements StreamedBody {
  /** Of a request without one. */
  static get empty(): BodyStream {
    return new BodyStream(
      { ...noBody, onBody: (listener) => listener(new Uint8Array(0), true) },
      0,
      () => {},
    );
  }

  readonly #request: BodySource;
  readonly #pieces: Uint8Array[] = [];
  #waiting = 0;
  #isPaused = false;
  #isEnded = false;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  /** `onEnd` is called when the last byte was received. */
  constructor(request: BodySource, maxBytes: number, onEnd: () => void) {
    this.#request = request;
    let size = 0;
    request.onBody((piece, isLast) => {
      size += piece.byteLength;
      if (this.#failure !== undefined) return;
      if (size > maxBytes) {
        this.fail(new BodyTooLarge(`The body has more than ${maxBytes} bytes.`));
        return;
      }
      // A copy, because the transport uses the memory again.
      if (piece.byteLength > 0) this.#pieces.push(piece.slice());
      this.#waiting += piece.byteLength;
      if (isLast) {
        this.#isEnded = true;
        onEnd();
      } else if (this.#waiting > waitingBytesMax && !this.#isPaused) {
        this.#isPaused = true;
        request.pauseBody();
      }
      this.#wake?.();
    });
  }

  /** The reader gets this error instead of the rest. */
  fail(error: Error): void {
    if (this.#isEnded) return;
    this.#failure ??= error;
    this.#pieces.length = 0;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure;
      const piece = this.#pieces.shift();
      if (piece !== undefined) {
        this.#waiting -= piece.byteLength;
        yield piece;
      } else if (this.#isEnded) return;
      else {
        if (this.#isPaused) {
          this.#isPaused = false;
          this.#request.resumeBody();
        }
        await new Promise<void>((wake) => {
          this.#wake = wake;
        });
      }
    }
  }

  async discard(): Promise<void> {
    try {
      for await (const _ of this);
    } catch {
      // Nobody reads it.
    }
  }
}
