import { gzip, gzipSync } from 'node:zlib';
import type { TransportRequest } from '#platform/http-transport/http-transport.js';
import type { TrustedOrigins } from '../cors.js';
import type { HttpAnswer } from '../http-types.js';
import { compressFromBytes, compressInlineBytesMax } from '../limits.js';
import { problem, problems } from '../problem.js';
import { baseUrlOf, clientAddressOf, prefixOf } from '../proxy/forwarding.js';
import { type AnswerEncoding, answerHead, requireWholeHeaders } from './answer-head.js';
import { cachedHead, hasHead } from './cached-head.js';
import type { DeprecationLines } from './deprecation-lines.js';
import type { ExchangeFacts } from './exchange-facts.js';
import type { Rated } from './head-bytes.js';
import { plainHead } from './plain-head.js';
import { statusLine } from './status-lines.js';
import { pathHoldsCardData } from './without-card-data.js';

/** After these answers, the following bytes on the connection are not trusted as a request. */
const closingStatuses = new Set([400, 405, 408, 411, 413, 414, 415, 431]);
const compressible = /^(?:application\/(?:[\w.-]+\+)?json|text\/|image\/svg|application\/javascript)/;
/** The status that nginx logs for a client that disconnects before its answer. */
const clientClosedRequest = 499;
const switchingProtocols = 101;
const empty = new Uint8Array(0);
const uncounted = problem(problems.unavailable, 'The request cannot be counted at the moment.', {
  retryAfterS: 5,
});

/** One request and its single answer on a connection that may vanish at any moment. */
export class Exchange {
  readonly facts: ExchangeFacts;
  /** The result of the rate limiter for the request; the response headers report it. */
  rated: Rated | undefined;
  /** Set when the operation is deprecated: every answer says so. */
  deprecation: { readonly lines: DeprecationLines; readonly params: Record<string, string> } | undefined;
  /** A body without a stated length is still arriving, so the connection cannot serve another request. */
  endlessBody = false;
  readonly #request: TransportRequest;
  readonly #trusted: TrustedOrigins;
  readonly #onDone: (status: number) => void;
  #gone = false;
  #answered = false;
  #onGone: (() => void) | undefined;
  #count: ((status: number) => void) | undefined;

  constructor(
    request: TransportRequest,
    facts: ExchangeFacts,
    trusted: TrustedOrigins,
    onDone: (status: number) => void,
  ) {
    this.#request = request;
    this.facts = facts;
    this.#trusted = trusted;
    this.#onDone = onDone;
    request.onAborted(() => {
      this.#gone = true;
      this.#onDone(clientClosedRequest);
      this.#counted(clientClosedRequest);
      this.#onGone?.();
    });
  }

  /** The client has disconnected, or has its answer. */
  get over(): boolean {
    return this.#gone || this.#answered;
  }

  get gone(): boolean {
    return this.#gone;
  }

  set onGone(listener: () => void) {
    const before = this.#onGone;
    this.#onGone = () => {
      before?.();
      listener();
    };
  }

  /**
   * Called once with the status, before the answer is sent or when there will be none (499). If it throws,
   * the request was not counted, and is answered with 503.
   */
  set count(count: (status: number) => void) {
    this.#count = count;
    if (this.over) this.#counted(clientClosedRequest);
  }

  #counted(status: number): boolean {
    const count = this.#count;
    this.#count = undefined;
    try {
      count?.(status);
      return true;
    } catch {
      return false;
    }
  }

  /** Empty when the answer was given. */
  clientAddress(): string {
    const { forwarding, headers } = this.facts;
    return clientAddressOf(forwarding, headers, this.#peer());
  }

  baseUrl(): string | undefined {
    return baseUrlOf(this.facts.forwarding, this.facts.headers, this.#peer());
  }

  #peer(): string {
    return this.over ? '' : this.#request.clientAddress();
  }

  /** A path of this server as the client sees it, which matters behind a proxy that strips a prefix. */
  #withPrefix(answer: HttpAnswer): HttpAnswer {
    const location = answer.headers?.['location'];
    const { forwarding, headers } = this.facts;
    if (location?.startsWith('/') !== true) return answer;
    const prefix = prefixOf(forwarding, headers, this.#peer());
    return prefix === ''
      ? answer
      : { ...answer, headers: { ...answer.headers, location: prefix + location } };
  }

  /** The connection becomes a WebSocket, which ends the exchange. */
  upgraded(): void {
    this.#answered = true;
    this.#onDone(switchingProtocols);
  }

  /** Sends the answer, once; later calls and calls after the client has gone do nothing. */
  answer(given: HttpAnswer): void {
    if (this.over) return;
    const answer = this.#withPrefix(this.#counted(given.status) ? given : uncounted);
    if (answer.isKept !== true || !hasHead(answer)) requireWholeHeaders(answer);
    const { contentType, bytes } = this.#encode(answer);
    const worthwhile =
      bytes.length >= compressFromBytes &&
      answer.headers?.['content-encoding'] === undefined &&
      compressible.test(contentType);
    if (!worthwhile) this.#send(answer, contentType, bytes, 'plain');
    else if (!acceptsGzip(this.facts.headers.get('accept-encoding'))) {
      this.#send(answer, contentType, bytes, 'varies');
    } else if (bytes.length <= compressInlineBytesMax) {
      this.#send(answer, contentType, gzipSync(bytes, { level: 4 }), 'gzip');
    } else {
      gzip(bytes, { level: 4 }, (error, compressed) => {
        if (error === null) this.#send(answer, contentType, compressed, 'gzip');
        else this.#send(answer, contentType, bytes, 'varies');
      });
    }
  }

  #encode(answer: HttpAnswer): { contentType: string; bytes: string | Uint8Array } {
    if (answer.problem !== undefined) {
      const { path, traceId } = this.facts;
      const instance = pathHoldsCardData(path) ? {} : { instance: path.slice(0, 200) };
      const body = { ...answer.problem, ...instance, trace_id: traceId };
      return { contentType: 'application/problem+json', bytes: JSON.stringify(body) };
    }
    const { body } = answer;
    if (body === undefined) return { contentType: '', bytes: empty };
    if (typeof body === 'string') {
      return { contentType: answer.contentType ?? 'text/plain; charset=utf-8', bytes: body };
    }
    if (body instanceof Uint8Array) {
      return { contentType: answer.contentType ?? 'application/octet-stream', bytes: body };
    }
    return { contentType: answer.contentType ?? 'application/json', bytes: JSON.stringify(body) };
  }

  #send(answer: HttpAnswer, contentType: string, bytes: string | Uint8Array, encoding: AnswerEncoding): void {
    if (this.over) return;
    const { facts } = this;
    const { status } = answer;
    const close = facts.closing() || this.endlessBody || closingStatuses.has(status);
    const head =
      (close ? undefined : this.#plainHead(answer, contentType, encoding)) ??
      statusLine(status) +
        answerHead(facts, answer, contentType, encoding, this.rated, this.#trusted) +
        this.#deprecationLines();
    this.#answered = true;
    this.#request.answer({
      head,
      body: this.#bodyOf(status, bytes),
      close,
      onSent: () => this.#onDone(status),
    });
  }

  #deprecationLines(): string {
    if (this.deprecation === undefined) return '';
    const { lines, params } = this.deprecation;
    const { forwarding, headers, path } = this.facts;
    const prefix = prefixOf(forwarding, headers, this.#peer());
    return lines(prefix, pathHoldsCardData(path) ? undefined : params);
  }

  /** Nothing for an answer with unusual headers; then its head is built as text. */
  #plainHead(answer: HttpAnswer, contentType: string, encoding: AnswerEncoding): Uint8Array | undefined {
    const { facts } = this;
    const special =
      encoding !== 'plain' ||
      this.deprecation !== undefined ||
      this.rated?.beside !== undefined ||
      facts.isPage ||
      answer.timings !== undefined ||
      this.#trusted.size > 0 ||
      facts.traceId !== facts.requestId ||
      facts.ownId < 0;
    if (special) return undefined;
    if (answer.isKept === true) return cachedHead(answer, contentType, facts.ownId, this.rated);
    return answer.headers === undefined
      ? plainHead(answer.status, contentType, facts.ownId, this.rated)
      : undefined;
  }

  #bodyOf(status: number, bytes: string | Uint8Array): string | Uint8Array | number | undefined {
    if (status === 204 || status === 304) return undefined;
    return this.facts.method === 'HEAD' ? Buffer.byteLength(bytes) : bytes;
  }
}

function acceptsGzip(header: string | undefined): boolean {
  return header !== undefined && /(?:^|[,\s])gzip(?!\s*;\s*q=0(?:\.0*)?(?:[,\s]|$))/.test(header);
}
