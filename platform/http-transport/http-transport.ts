/**
 * A library that speaks HTTP/1.1 and WebSocket on sockets. The pipeline above it decides everything else:
 * routes, limits, identity, answers. Every adapter passes `tests/contracts/http-server/`.
 */
export interface HttpTransport {
  readonly name: 'uWebSockets.js' | 'node:http';
  /** Several listeners may have one port, of this process and of others. */
  readonly canSharePort: boolean;
  /**
   * A connection without progress for this long is closed, two seconds more or less: before or within a
   * request, or while an answer is not being read. A body that arrives too slowly counts as no progress.
   */
  readonly idleS: number;
  /** A longer request line with its fields is refused with 431 before the pipeline sees it. */
  readonly headBytesMax: number;
  /** `receive` answers each request, now or later, exactly once. */
  createListener(receive: (request: TransportRequest) => void): TransportListener;
}

export interface TransportListener {
  /** Requests to open a WebSocket on this path; every other request to the path is an ordinary one. */
  addSocketPath(path: SocketPath): void;
  /**
   * Resolves with the port, or with nothing if the address cannot be bound. Without `sharePort` a second
   * listener on the port fails.
   */
  listen(host: string, port: number, sharePort: boolean): Promise<number | undefined>;
  /** Accepts no further connections; those that are open stay. */
  stopListening(): void;
  /** Closes everything at once. */
  close(): void;
}

/** Receives the header fields of a request: names in lower case, in their order, none of them joined. */
export interface HeaderSink {
  add(name: string, value: string): void;
}

/** A request whose header has arrived, and the one answer to it. */
export interface TransportRequest {
  /** Upper case. */
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  /** As sent, without the question mark. */
  readonly query: string;
  /** Only during the call that delivers the request. */
  readHeaders(sink: HeaderSink): void;
  /** Textual IP address of the peer; only until the request is answered or aborted. */
  clientAddress(): string;
  /** Called at most once, when the client disconnects before the complete answer is handed over. */
  onAborted(listener: () => void): void;
  /** To be called while the request is delivered. A piece is valid during the call only. */
  onBody(listener: (piece: Uint8Array, isLast: boolean) => void): void;
  /** No piece of the body is read from the client until `resumeBody`. It costs the client no idle time. */
  pauseBody(): void;
  resumeBody(): void;
  /** Closes the connection without an answer. */
  cut(): void;
  /**
   * Sends the answer, at the pace of the client. `close` ends the connection after it: nothing that follows
   * on it is served.
   */
  answer(answer: TransportAnswer): void;
}

export interface TransportAnswer {
  /**
   * Status code and reason, then each header field with a line break in front. Bytes are valid during the
   * call only.
   */
  readonly head: string | Uint8Array;
  /** A number is the length of a body that is not sent, as for HEAD. Nothing: the answer has no body. */
  readonly body: string | Uint8Array | number | undefined;
  readonly close: boolean;
  /**
   * The complete answer was passed to the system; the client may still be reading it. Not called after an
   * abort.
   */
  onSent(): void;
}

export interface SocketPath {
  readonly path: string;
  /** Longer messages end the connection. */
  readonly payloadBytesMax: number;
  readonly backpressureBytesMax: number;
  /** A client that sends nothing for this long, not even the answer to a ping, is disconnected. */
  readonly idleS: number;
  readonly receive: (request: UpgradeRequest) => void;
}

export interface UpgradeRequest extends TransportRequest {
  /** In place of an answer: turns the connection into a WebSocket. The empty protocol chooses none. */
  accept(listener: SocketListener, protocol: string): void;
}

export interface SocketListener {
  opened(socket: TransportSocket): void;
  /** The bytes are valid during the call only. */
  received(message: Uint8Array, isBinary: boolean): void;
  /** Called exactly once after `opened`; the socket must not be used any more. */
  closed(code: number): void;
}

export interface TransportSocket {
  /**
   * Sends one text message, given as a string or as its UTF-8 bytes. `queued`: the client has not received
   * all of it yet.
   */
  send(text: string | Uint8Array): 'sent' | 'queued' | 'dropped';
  /** Bytes that the client has not received yet. */
  bufferedBytes(): number;
  /** Sends a close frame and closes the connection; `closed` is called before this returns. */
  end(code: number, reason: string): void;
  /** Cuts the connection; `closed` is called before this returns. */
  terminate(): void;
}
