import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HeaderSink, TransportAnswer, TransportRequest } from './http-transport.js';
import type { NodeConnection } from './node-connection.js';

/** Larger answers count as sent when the client has received them. */
const answerBytesAtOnceMax = 64 * 1024;
/**
 * A client that reads nothing of its answer for twice as long is disconnected: at the first timeout, Node
 * only records how much is left.
 */
const readTimeoutMs = 5_000;

export class NodeRequest implements TransportRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly hasBody: boolean;
  readonly connection: NodeConnection;
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly #expectsContinue: boolean;
  #isSent = false;
  #isAborted = false;

  constructor(
    incoming: IncomingMessage,
    response: ServerResponse,
    connection: NodeConnection,
    expectsContinue: boolean,
  ) {
    const { method = '', headers } = incoming;
    const url = targetOf(incoming);
    const mark = url.indexOf('?');
    this.method = method;
    this.path = mark < 0 ? url : url.slice(0, mark);
    this.query = mark < 0 ? '' : url.slice(mark + 1);
    this.hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    this.connection = connection;
    this.incoming = incoming;
    this.response = response;
    this.#expectsContinue = expectsContinue;
  }

  readHeaders(sink: HeaderSink): void {
    const { rawHeaders } = this.incoming;
    for (let at = 0; at + 1 < rawHeaders.length; at += 2)
      sink.add(rawHeaders[at]!.toLowerCase(), rawHeaders[at + 1]!);
  }

  clientAddress(): string {
    return this.incoming.socket.remoteAddress ?? '';
  }

  onAborted(listener: () => void): void {
    this.response.once('close', () => {
      if (this.#isSent) return;
      this.#isAborted = true;
      listener();
    });
  }

  onBody(listener: (piece: Uint8Array, isLast: boolean) => void): void {
    if (this.#expectsContinue && this.incoming.httpVersion === '1.1') this.response.writeContinue();
    this.incoming.on('data', (piece: Buffer) => listener(piece, false));
    this.incoming.on('end', () => listener(noBytes, true));
  }

  pauseBody(): void {
    this.incoming.pause();
  }

  resumeBody(): void {
    this.incoming.resume();
  }

  cut(): void {
    this.incoming.socket.destroy();
  }

  answer({ head, body, close, onSent }: TransportAnswer): void {
    if (this.#isAborted) return;
    const { response } = this;
    const [status = '', ...lines] = textOf(head).split('\r\n');
    const fields = lines.flatMap(fieldOf);
    const length = typeof body === 'number' ? body : body === undefined ? undefined : Buffer.byteLength(body);
    if (length !== undefined) fields.push('content-length', String(length));
    if (close) fields.push('connection', 'close');
    response.writeHead(Number(status.slice(0, 3)), status.slice(4), fields);
    response.end(typeof body === 'number' ? undefined : body);
    if (length === undefined || length <= answerBytesAtOnceMax || response.writableFinished) {
      this.#isSent = true;
      onSent();
    } else {
      this.incoming.socket.setTimeout(readTimeoutMs);
      response.once('finish', () => {
        this.#isSent = true;
        onSent();
      });
    }
    // Node ends the connection itself where the client asked for it, and always after HTTP/1.0 without a
    // wish.
    this.connection.answered(close || !response.shouldKeepAlive);
  }
}

const noBytes = new Uint8Array(0);

/** One character for each byte, as Node writes header fields. */
function textOf(head: string | Uint8Array): string {
  if (typeof head === 'string') return isAscii.test(head) ? head : Buffer.from(head).toString('latin1');
  return Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1');
}

const isAscii = /^[ -~\t\r\n]*$/;

function fieldOf(line: string): [string, string] {
  const colon = line.indexOf(': ');
  return [line.slice(0, colon), line.slice(colon + 2)];
}

/**
 * The target of a request. An absolute URL is reduced to its path if it names the host of the Host field; any
 * other stays, is no path, and is refused.
 */
function targetOf({ url = '', headers }: IncomingMessage): string {
  const absolute = /^https?:\/\/([^/?#@]+)((?:[/?].*)?)$/i.exec(url);
  if (absolute === null || absolute[1]?.toLowerCase() !== headers.host?.toLowerCase()) return url;
  const rest = absolute[2] ?? '';
  return rest.startsWith('/') ? rest : `/${rest}`;
}
