import type {
  HeaderSink,
  SocketListener,
  TransportAnswer,
  TransportRequest,
  UpgradeRequest,
} from './http-transport.js';
import type { Uws, UwsRequest, UwsResponse, UwsUpgradeContext } from './load-uws.js';

/** Answers up to this size are written at once; larger ones at the client's pace. */
const answerBytesAtOnceMax = 64 * 1024;
/** Blanks behind a JSON text change nothing; the native buffer holds 16 KB. */
const corkFiller = ' '.repeat(16 * 1024);
/** A stated length of more digits the native parser refuses by itself. */
const lengthDigitsMax = 9;

export class UwsRequestAdapter implements TransportRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly #uws: Uws;
  readonly #request: UwsRequest;
  protected readonly response: UwsResponse;
  #aborted = false;
  /** After this the native object must not be touched, except to write the answer. */
  #isOver = false;
  /**
   * The native parser refuses the request by itself at the end of this turn, with a bare 400 instead of the
   * corked answer. An answer larger than its buffer is sent before that.
   */
  #outrunsParser = false;

  constructor(uws: Uws, response: UwsResponse, request: UwsRequest) {
    this.#uws = uws;
    this.#request = request;
    this.response = response;
    this.method = methodOf(request);
    this.path = request.getUrl();
    this.query = request.getQuery() ?? '';
  }

  readHeaders(sink: HeaderSink): void {
    this.#uws.forEachHeader(this.#request, (name, value) => {
      if (value.length > lengthDigitsMax && name === 'content-length') this.#outrunsParser = true;
      sink.add(name, value);
    });
  }

  clientAddress(): string {
    return Buffer.from(this.response.getRemoteAddressAsText()).toString('latin1');
  }

  onAborted(listener: () => void): void {
    this.response.onAborted(() => {
      this.#aborted = true;
      this.#isOver = true;
      listener();
    });
  }

  onBody(listener: (piece: Uint8Array, isLast: boolean) => void): void {
    this.response.onData((piece, isLast) => listener(new Uint8Array(piece), isLast));
  }

  pauseBody(): void {
    if (!this.#isOver) this.response.pause();
  }

  resumeBody(): void {
    if (!this.#isOver) this.response.resume();
  }

  cut(): void {
    this.response.close();
  }

  answer(answer: TransportAnswer): void {
    this.#isOver = true;
    if (!answer.close) this.#write(answer, answer.body);
    else if (this.#outrunsParser && typeof answer.body === 'string')
      this.#write(answer, answer.body + corkFiller);
    // After a closing answer, the native parser continues with the same packet. If the answer stays pending
    // until the packet is done, a following request makes the parser cut the connection instead.
    else setImmediate(() => this.#write(answer, answer.body));
  }

  #write({ head, close, onSent }: TransportAnswer, body: TransportAnswer['body']): void {
    if (this.#aborted) return;
    let complete = true;
    this.response.cork(() => {
      this.response.writeStatus(head);
      complete = this.#writeBody(body, close, onSent);
    });
    if (complete) onSent();
  }

  /** False when `onSent` is called later. */
  #writeBody(body: TransportAnswer['body'], close: boolean, onSent: () => void): boolean {
    const { response } = this;
    if (body === undefined || typeof body === 'number') {
      if (body !== undefined) response.writeHeader('content-length', String(body));
      // The native call can only close together with a length of its own making, so the client is asked to
      // close.
      if (close) response.writeHeader('connection', 'close');
      response.endWithoutBody();
      return true;
    }
    if (body.length <= answerBytesAtOnceMax) {
      response.end(body, close);
      return true;
    }
    return this.#stream(typeof body === 'string' ? Buffer.from(body) : body, onSent);
  }

  /**
   * Writes what the socket accepts and waits for the client to read, instead of buffering the rest in native
   * memory.
   */
  #stream(bytes: Uint8Array, onSent: () => void): boolean {
    const { response } = this;
    const total = bytes.byteLength;
    const [complete] = response.tryEnd(bytes, total);
    if (complete) return true;
    response.onWritable((offset) => {
      const [finished] = response.tryEnd(bytes.subarray(offset), total);
      if (finished) onSent();
      return finished;
    });
    return false;
  }
}

export class UwsUpgradeAdapter extends UwsRequestAdapter implements UpgradeRequest {
  readonly #context: UwsUpgradeContext;
  readonly #key: string;
  readonly #extensions: string;

  constructor(uws: Uws, response: UwsResponse, request: UwsRequest, context: UwsUpgradeContext) {
    super(uws, response, request);
    this.#context = context;
    this.#key = request.getHeader('sec-websocket-key');
    this.#extensions = request.getHeader('sec-websocket-extensions');
  }

  accept(listener: SocketListener, protocol: string): void {
    const { response } = this;
    response.cork(() => response.upgrade({ listener }, this.#key, protocol, this.#extensions, this.#context));
  }
}

function methodOf(request: UwsRequest): string {
  const method = request.getMethod();
  return method === 'get' ? 'GET' : method === 'post' ? 'POST' : method.toUpperCase();
}
