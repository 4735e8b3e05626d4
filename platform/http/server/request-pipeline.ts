import type { TransportRequest } from '#platform/http-transport/http-transport.js';
import type { Logger } from '#platform/telemetry/logger.js';
import type { Counter, Metrics } from '#platform/telemetry/metrics.js';
import type { Admission, AdmissionRules } from '../admission/admission.js';
import { admit } from '../admission/admit.js';
import type { InflightGate } from '../admission/inflight-gate.js';
import { TurnClock } from '../admission/turn-clock.js';
import { preflightAnswer, type TrustedOrigins } from '../cors.js';
import { type Endpoint, observer } from '../endpoint.js';
import type { HttpAnswer } from '../http-types.js';
import { urlBytesMax } from '../limits.js';
import { badFields, badQuery } from '../messages.js';
import { problem, problems } from '../problem.js';
import { clientAddressOf, type Forwarding } from '../proxy/forwarding.js';
import { Exchange } from '../response/exchange.js';
import { RequestHeaders } from '../response/request-headers.js';
import { requestIds } from '../response/request-ids.js';
import { refuseCardDataBesideBody, refuseCardDataInBody } from '../response/without-card-data.js';
import { type BodyOutcome, inflateBody, readBody } from './body-reader.js';
import { BodyIncomplete, BodyStream, BodyTooLarge } from './body-stream.js';
import { discardBody } from './discarded-body.js';
import { parseJson } from './parse-json.js';
import { parseQuery } from './parse-query.js';
import { ReceivedRequest, type RequestParts } from './request.js';
import { endRequestSpan, requestSpan, within } from './request-span.js';
import type { RouteTable } from './route-table.js';

export interface PipelineOptions {
  readonly table: RouteTable<Endpoint>;
  readonly rules: AdmissionRules;
  readonly trusted: TrustedOrigins;
  readonly forwarding: Forwarding;
  /** A line for each request with the address of its client. */
  readonly logsRequests: boolean;
  readonly gate: InflightGate;
  readonly turnBudgetMs: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

type ReceivedBody = BodyOutcome | BodyStream;

const noBytes = new Uint8Array(0);
const bodyless: BodyOutcome = { ok: true, bytes: noBytes };

/** The steps of a request: framing, route, shedding, admission, body, validation, handler, answer. */
export class RequestPipeline {
  readonly #options: PipelineOptions;
  readonly #clock: TurnClock;
  readonly #cut: Counter;
  readonly #shed: Counter;
  readonly #observeUnrouted: Endpoint['observe'];
  readonly #isClosing = () => this.closing;
  /** Set when the server drains: every answer then asks the client to reconnect elsewhere. */
  closing = false;
  /** Set while routes are still being added: an unknown path is then answered with 503. */
  starting = false;
  /** Requests that have begun and whose answer is not yet handed over. */
  active = 0;

  constructor(options: PipelineOptions) {
    this.#options = options;
    this.#clock = new TurnClock(options.turnBudgetMs);
    const { metrics } = options;
    this.#cut = metrics.counter('http_cut_total', 'Connections cut because their framing was ambiguous.');
    this.#shed = metrics.counter('http_shed_total', 'Requests refused because the server was busy.');
    this.#observeUnrouted = observer(metrics, 'none');
  }

  receive(request: TransportRequest): void {
    const headers = new RequestHeaders();
    request.readHeaders(headers);
    const framing = headers.judge();
    if (framing.verdict === 'cut') {
      this.#cut.add();
      request.cut();
      return;
    }
    const { method, path, query } = request;
    const match = path.length > urlBytesMax ? undefined : this.#options.table.find(method, path);
    const endpoint = match?.found === true ? match.entry : undefined;
    const observe = endpoint?.observe ?? this.#observeUnrouted;
    const exchange = this.#open(request, headers, observe, endpoint?.isPage === true, endpoint);
    if (endpoint?.deprecationLines !== undefined && match?.found === true)
      exchange.deprecation = { lines: endpoint.deprecationLines, params: match.params ?? {} };
    if (framing.verdict !== 'ok') {
      exchange.answer(refuseHead(framing.verdict));
      return;
    }
    exchange.endlessBody = framing.body === 'chunked';
    if (match?.found !== true || path.length + query.length > urlBytesMax) {
      const allow = match?.found === false ? match.allow : undefined;
      const refusal = this.#unserved(method, path.length + query.length, allow, headers);
      refuseAfterBody(request, exchange, framing.body, refusal);
      return;
    }
    // A browser does not request a script again: if it were shed once, the page would never start.
    const mayWait = match.entry.priority !== 'vital' && !match.entry.isPage;
    if (mayWait && this.#clock.isSpent()) {
      exchange.answer(this.#busy());
      return;
    }
    this.#serve(request, exchange, match.entry, match.params, query, framing.body);
  }

  /** The first steps for an upgrade to a WebSocket; nothing when it is already refused. */
  receiveUpgrade(request: TransportRequest, observe: Endpoint['observe']): Exchange | undefined {
    const headers = new RequestHeaders();
    request.readHeaders(headers);
    const framing = headers.judge();
    if (framing.verdict === 'cut' || (framing.verdict === 'ok' && framing.body !== 'none')) {
      this.#cut.add();
      request.cut();
      return undefined;
    }
    const exchange = this.#open(request, headers, observe, false);
    if (framing.verdict !== 'ok') exchange.answer(refuseHead(framing.verdict));
    else if (this.closing || this.#clock.isSpent()) exchange.answer(this.#busy());
    return exchange.over ? undefined : exchange;
  }

  #open(
    request: TransportRequest,
    headers: RequestHeaders,
    observe: Endpoint['observe'],
    isPage: boolean,
    endpoint?: Endpoint,
  ): Exchange {
    const startedAt = performance.now();
    this.active += 1;
    const { method, path } = request;
    const { requestId, traceId, ownId } = requestIds(headers);
    const span = requestSpan(method, endpoint, headers);
    const { forwarding, trusted, logsRequests } = this.#options;
    const facts = {
      method,
      path,
      headers,
      forwarding,
      requestId,
      traceId: span?.traceId ?? traceId,
      ownId,
      span,
      isPage,
      closing: this.#isClosing,
    };
    const client = logsRequests ? clientAddressOf(forwarding, headers, request.clientAddress()) : '';
    return new Exchange(request, facts, trusted, (status) => {
      this.active -= 1;
      if (span !== undefined) endRequestSpan(span, status);
      const seconds = (performance.now() - startedAt) / 1_000;
      observe(method, status, seconds);
      if (logsRequests)
        this.#options.logger.debug('request', { client, method, status, ms: seconds * 1_000, requestId });
    });
  }

  #unserved(
    method: string,
    urlLength: number,
    allow: readonly string[] | undefined,
    headers: RequestHeaders,
  ): HttpAnswer {
    if (urlLength > urlBytesMax) return problem(problems.urlTooLong);
    if (allow === undefined && this.starting)
      return problem(problems.unavailable, 'The program is starting.', { retryAfterS: 1 });
    if (allow === undefined) return problem(problems.notFound, 'No such path.');
    if (method === 'OPTIONS') return preflightAnswer(headers.get('origin'), this.#options.trusted, allow);
    const list = allow.join(', ');
    return problem(problems.methodNotAllowed, `This path supports ${list}.`, { headers: { allow: list } });
  }

  #busy(): HttpAnswer {
    this.#shed.add();
    return problem(problems.overloaded, undefined, { retryAfterS: 1 });
  }

  #serve(
    request: TransportRequest,
    exchange: Exchange,
    endpoint: Endpoint,
    params: Record<string, string> | undefined,
    query: string,
    announced: 'none' | 'chunked' | number,
  ): void {
    const refusal = refuseBody(exchange, endpoint, announced);
    if (refusal !== undefined) {
      refuseAfterBody(request, exchange, announced, refusal);
      return;
    }

    let admission: Admission | undefined;
    let body: ReceivedBody | undefined;
    const proceed = () => {
      if (exchange.over || admission === undefined) return;
      if (!admission.ok) {
        exchange.answer(admission.answer);
        return;
      }
      if (body === undefined) return;
      this.#dispatch(exchange, endpoint, params, query, admission, body);
    };
    const admitted = this.#admit(exchange, endpoint);
    if (admitted instanceof Promise) {
      admitted.then(
        (late) => {
          admission = late;
          proceed();
        },
        (error: unknown) => this.#fail(exchange, endpoint, error),
      );
    } else {
      admission = admitted;
    }
    if (admission?.ok === false || announced === 'none' || endpoint.body === undefined) {
      body = endpoint.body?.streamed === true ? BodyStream.empty : bodyless;
      proceed();
      return;
    }
    if (endpoint.body.streamed === true) {
      // Until its last byte has arrived, an answer ends the connection.
      exchange.endlessBody = true;
      body = new BodyStream(request, endpoint.body.maxBytes, () => {
        exchange.endlessBody = false;
      });
      const stream = body;
      exchange.onGone = () => stream.fail(new BodyIncomplete('The client disconnected.'));
      proceed();
      return;
    }
    readBody(request, announced, endpoint.body.maxBytes, (outcome) => {
      if (outcome.ok) exchange.endlessBody = false;
      // The transport reuses the memory of a body in one piece, so it is copied if admission is still
      // pending.
      body = outcome.ok && admission === undefined ? { ok: true, bytes: outcome.bytes.slice() } : outcome;
      if (!outcome.ok) exchange.answer(refuseOutcome(outcome.reason, endpoint));
      else proceed();
    });
  }

  #dispatch(
    exchange: Exchange,
    endpoint: Endpoint,
    params: Record<string, string> | undefined,
    query: string,
    admission: Admission & { ok: true },
    body: ReceivedBody,
  ): void {
    const { gate } = this.#options;
    const prepared = this.#prepare(exchange, endpoint, params, query, body);
    if (prepared === undefined) return;
    if (!gate.enter(endpoint.priority)) {
      exchange.answer(this.#busy());
      return;
    }
    const settle = (answer: HttpAnswer | Promise<HttpAnswer>): void => {
      if (answer instanceof Promise) {
        answer.then(settle, (error: unknown) => {
          gate.leave();
          this.#fail(exchange, endpoint, error);
        });
        return;
      }
      gate.leave();
      this.#finish(exchange, endpoint, answer);
    };
    try {
      const received = new ReceivedRequest(exchange, prepared, admission);
      const { span } = exchange.facts;
      const answer =
        span === undefined ? endpoint.handle(received) : within(span, () => endpoint.handle(received));
      if (typeof answer === 'function') answer(settle);
      else settle(answer);
    } catch (error) {
      gate.leave();
      this.#fail(exchange, endpoint, error);
    }
  }

  #finish(exchange: Exchange, endpoint: Endpoint, answer: HttpAnswer): void {
    try {
      exchange.answer(answer);
    } catch (error) {
      this.#fail(exchange, endpoint, error);
    }
  }

  /** Nothing when the request was refused. */
  #prepare(
    exchange: Exchange,
    endpoint: Endpoint,
    params: Record<string, string> | undefined,
    query: string,
    body: ReceivedBody,
  ): RequestParts | undefined {
    try {
      const prepared = prepare(exchange, endpoint, params, query, body);
      if (!isRefusal(prepared)) return prepared;
      exchange.answer(prepared.refusal);
    } catch (error) {
      this.#fail(exchange, endpoint, error);
    }
    return undefined;
  }

  /** Otherwise, an exception in here would reach the transport and end the process. */
  #admit(exchange: Exchange, endpoint: Endpoint): Admission | Promise<Admission> {
    try {
      return admit(endpoint, exchange, this.#options.rules);
    } catch (error) {
      return Promise.reject(error as Error);
    }
  }

  #fail(exchange: Exchange, endpoint: Endpoint, error: unknown): void {
    if (exchange.gone) return;
    if (error instanceof BodyTooLarge) {
      exchange.answer(refuseOutcome('too-large', endpoint));
      return;
    }
    const { requestId, traceId, method } = exchange.facts;
    this.#options.logger.error('a request failed', {
      error,
      route: endpoint.label,
      method,
      requestId,
      traceId,
      client: exchange.clientAddress(),
    });
    exchange.answer(problem(problems.internal));
  }
}

const refuseHead = (verdict: 'too-large' | 'no-host'): HttpAnswer =>
  verdict === 'too-large'
    ? problem(problems.headersTooLarge)
    : problem(problems.malformed, 'A request needs exactly one Host field.');

function refuseAfterBody(
  request: TransportRequest,
  exchange: Exchange,
  announced: 'none' | 'chunked' | number,
  refusal: HttpAnswer,
): void {
  const isAwaited = exchange.facts.headers.get('expect') !== undefined;
  discardBody(request, announced, isAwaited, () => exchange.answer(refusal));
}

/** What the header alone already tells about the body. */
function refuseBody(
  exchange: Exchange,
  { body }: Endpoint,
  announced: 'none' | 'chunked' | number,
): HttpAnswer | undefined {
  if (announced === 'none') return undefined;
  if (body === undefined) return problem(problems.malformed, 'This operation takes no body.');
  if (typeof announced === 'number' && announced > body.maxBytes) {
    return problem(problems.tooLarge, `At most ${body.maxBytes} bytes are accepted.`);
  }
  const { headers } = exchange.facts;
  if (!body.contentTypes.includes(mediaType(headers.get('content-type')))) {
    return problem(problems.unsupportedMediaType, `Content types: ${body.contentTypes.join(', ')}.`);
  }
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (body.streamed === true && encoding !== 'identity')
    return problem(problems.unsupportedMediaType, 'Content encoding: identity.');
  if (encoding !== 'identity' && encoding !== 'gzip') {
    return problem(problems.unsupportedMediaType, 'Content encodings: gzip, identity.');
  }
  return undefined;
}

function refuseOutcome(reason: 'too-large' | 'bad-gzip', { body }: Endpoint): HttpAnswer {
  if (reason === 'bad-gzip') return problem(problems.malformed, 'The body is not valid gzip.');
  return problem(
    problems.tooLarge,
    `At most ${body?.maxBytes ?? 0} bytes are accepted, counted after decompression.`,
  );
}

function prepare(
  exchange: Exchange,
  endpoint: Endpoint,
  params: Record<string, string> | undefined,
  query: string,
  received: ReceivedBody,
): RequestParts | { readonly refusal: HttpAnswer } {
  const { headers } = exchange.facts;
  const parsed = query === '' ? undefined : parseQuery(query, endpoint.lists);
  if (endpoint.refusesCardData) {
    const idempotencyKey = headers.get('idempotency-key');
    const sent = { path: params, query: parsed?.ok === true ? parsed.parameters : {}, idempotencyKey };
    const refusal = refuseCardDataBesideBody(sent);
    if (refusal !== undefined) return { refusal };
  }
  const wrongPath = endpoint.checkParams?.(params ?? {});
  if (wrongPath !== undefined) {
    return {
      refusal: problem(problems.notFound, 'Nothing can exist at this path.', { errors: wrongPath }),
    };
  }
  if (parsed?.ok === false) return { refusal: problem(problems.malformed, parsed.detail) };
  const parameters = parsed?.parameters ?? {};
  const wrongQuery = query === '' ? endpoint.wrongWithoutQuery() : endpoint.checkQuery?.(parameters);
  if (wrongQuery !== undefined) {
    return { refusal: problem(problems.invalid, badQuery, { errors: wrongQuery }) };
  }
  const contentType = mediaType(headers.get('content-type'));
  if (received instanceof BodyStream)
    return { params: params ?? {}, query: parameters, contentType, body: received };
  const gzipped = headers.get('content-encoding') === 'gzip' && received.ok && received.bytes.length > 0;
  const body = gzipped ? inflateBody(received.bytes, endpoint.body?.maxBytes ?? 0) : received;
  if (!body.ok) return { refusal: refuseOutcome(body.reason, endpoint) };
  if (endpoint.checkBody === undefined) {
    const bytes = endpoint.body === undefined ? undefined : body.bytes;
    // The handler refuses a body that is not JSON.
    const read = endpoint.refusesCardData && bytes !== undefined ? parseJson(bytes) : undefined;
    const refusal = read?.ok === true ? refuseCardDataInBody(read.value) : undefined;
    if (refusal !== undefined) return { refusal };
    return { params: params ?? {}, query: parameters, contentType, body: bytes };
  }
  if (body.bytes.length === 0) return { refusal: problem(problems.malformed, 'A JSON body is needed.') };
  const json = parseJson(body.bytes);
  if (!json.ok) return { refusal: problem(problems.malformed, json.detail) };
  const refusal = endpoint.refusesCardData ? refuseCardDataInBody(json.value) : undefined;
  if (refusal !== undefined) return { refusal };
  const wrongBody = endpoint.checkBody(json.value);
  if (wrongBody !== undefined) {
    return { refusal: problem(problems.invalid, badFields, { errors: wrongBody }) };
  }
  return { params: params ?? {}, query: parameters, contentType, body: json.value };
}

function isRefusal<T extends object>(
  value: T | { readonly refusal: HttpAnswer },
): value is { readonly refusal: HttpAnswer } {
  return 'refusal' in value;
}

function mediaType(header: string | undefined): string {
  if (header === undefined || header === 'application/json') return header ?? '';
  const semicolon = header.indexOf(';');
  return (semicolon < 0 ? header : header.slice(0, semicolon)).trim().toLowerCase();
}
