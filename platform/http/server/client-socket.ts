import { randomUUID } from 'node:crypto';
import type { TransportSocket } from '#platform/http-transport/http-transport.js';
import { TokenBucket } from '#platform/rate/token-bucket.js';
import type { Identity } from '../identity.js';
import { type Socket, type SocketLimits, socketCloseCodes } from './socket-types.js';

/** State of one connection from its upgrade to its end, authenticated or not. */
export class ClientSocket implements Socket {
  readonly id: string = randomUUID();
  readonly clientAddress: string;
  readonly openedAt: number;
  readonly bucket: TokenBucket;
  data: unknown = undefined;
  badFrames = 0;
  /** Frames that arrived while the token of `hello` was being checked. */
  early: unknown[] | undefined;
  #identity: Identity | undefined;
  #driver: TransportSocket | undefined;
  readonly #limits: SocketLimits;

  constructor(clientAddress: string, identity: Identity | undefined, limits: SocketLimits, now: number) {
    this.clientAddress = clientAddress;
    this.#identity = identity;
    this.#limits = limits;
    this.openedAt = now;
    this.bucket = new TokenBucket(limits.messagesPerS, limits.messageBurst, now);
  }

  get identified(): boolean {
    return this.#identity !== undefined;
  }

  get identity(): Identity {
    if (this.#identity === undefined) throw new Error('the socket has not sent its hello frame');
    return this.#identity;
  }

  identify(identity: Identity): void {
    this.#identity = identity;
  }

  attach(driver: TransportSocket): void {
    this.#driver = driver;
  }

  /** After this the transport's socket must not be touched again. */
  detach(): void {
    this.#driver = undefined;
  }

  get open(): boolean {
    return this.#driver !== undefined;
  }

  get bufferedBytes(): number {
    return this.#driver?.bufferedBytes() ?? 0;
  }

  send(frame: object | string | Uint8Array): 'sent' | 'queued' | 'closed' {
    const driver = this.#driver;
    if (driver === undefined) return 'closed';
    const text = typeof frame === 'string' || frame instanceof Uint8Array ? frame : JSON.stringify(frame);
    const result = driver.send(text);
    if (result === 'sent') return 'sent';
    // A transport may cut a client at the limit by itself, or only drop the message.
    if (result === 'dropped' || this.bufferedBytes > this.#limits.backpressureBytesMax) {
      this.#driver?.terminate();
      return 'closed';
    }
    return 'queued';
  }

  close(code: number, reason: string): void {
    this.#driver?.end(code, reason.slice(0, 120));
  }

  refuse(code: string, detail: string): void {
    this.send({ type: 'error', code, detail });
  }

  closeUnauthenticated(reason: string): void {
    this.close(socketCloseCodes.unauthenticated, reason);
  }
}
