import type { TSchema } from 'typebox';
import type { Scope } from '#schemas/http/route-contract.js';
import type { Identity } from '../identity.js';

/** Close codes beside the standard ones. */
export const socketCloseCodes = {
  /** The server restarts: reconnect soon. */
  restart: 1012,
  badFrames: 4400,
  unauthenticated: 4401,
  tooManyMessages: 4429,
} as const;

/** One client connection. `Data` is the state that the package attaches to it. */
export interface Socket<Data = unknown> {
  readonly id: string;
  readonly identity: Identity;
  readonly clientAddress: string;
  readonly open: boolean;
  data: Data | undefined;
  /**
   * Sends an object as JSON, or text as it is; text may also be given as its UTF-8 bytes. `queued`: the
   * client reads more slowly than we send. `closed`: it has disconnected, or was disconnected because it was
   * too slow.
   */
  send(frame: object | string | Uint8Array): 'sent' | 'queued' | 'closed';
  /** Bytes that the client has not received yet. */
  readonly bufferedBytes: number;
  /** Codes 1000, 1001, 1008 to 1013 and 4000 to 4999. */
  close(code: number, reason: string): void;
}

export interface SocketLimits {
  readonly socketsMax: number;
  readonly perIdentityMax: number;
  readonly payloadBytesMax: number;
  readonly backpressureBytesMax: number;
  readonly messagesPerS: number;
  readonly messageBurst: number;
  readonly helloMs: number;
  readonly idleS: number;
}

/**
 * A WebSocket path as a value. The server authenticates (by the Authorization header of the upgrade, or by a
 * first frame `{"type":"hello","token":"…"}`), checks origins and limits, parses and validates frames;
 * handlers see only valid frames of authenticated users. A later `hello` of the same user prolongs the
 * connection beyond the expiry of its token.
 */
export interface SocketRoute<Frame = never, Data = unknown> {
  readonly path: string;
  /**
   * In order of preference. A client that offers only others is refused; one that offers none gets the first.
   */
  readonly subprotocols: readonly string[];
  readonly scopes: readonly Scope[];
  /** Schema of the frames a client may send after `hello`. */
  readonly frame: TSchema;
  readonly limits?: Partial<SocketLimits>;
  onOpen(socket: Socket<Data>): void;
  onFrame(socket: Socket<Data>, frame: Frame): void;
  /** The socket can no longer send. Called exactly once for each `onOpen`. */
  onClose(socket: Socket<Data>, code: number): void;
}
