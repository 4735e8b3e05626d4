import type { Admitted } from '../admission/admission.js';
import type { HttpRequest } from '../http-types.js';
import type { Identity } from '../identity.js';
import type { Exchange } from '../response/exchange.js';

/** What was read from the request itself. */
export interface RequestParts {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly contentType: string;
}

/** The handler's view of a request. The signal is created only for handlers that use it. */
export class ReceivedRequest implements HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly requestId: string;
  readonly traceId: string;
  readonly contentType: string;
  readonly identity: Identity | undefined;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly #exchange: Exchange;
  #address: string | undefined;
  #signal: AbortSignal | undefined;

  constructor(exchange: Exchange, parts: RequestParts, admission: Admitted) {
    this.method = exchange.facts.method;
    this.path = exchange.facts.path;
    this.requestId = exchange.facts.requestId;
    this.traceId = exchange.facts.traceId;
    this.contentType = parts.contentType;
    this.identity = admission.identity;
    this.params = parts.params;
    this.query = parts.query;
    this.body = parts.body;
    this.#exchange = exchange;
    this.#address = admission.address;
  }

  get clientAddress(): string {
    this.#address ??= this.#exchange.clientAddress();
    return this.#address;
  }

  baseUrl(): string | undefined {
    return this.#exchange.baseUrl();
  }

  get signal(): AbortSignal {
    if (this.#signal !== undefined) return this.#signal;
    const controller = new AbortController();
    this.#signal = controller.signal;
    if (this.#exchange.gone) controller.abort();
    else this.#exchange.onGone = () => controller.abort();
    return this.#signal;
  }

  header(name: string): string | undefined {
    return this.#exchange.facts.headers.get(name);
  }

  headerNames(): readonly string[] {
    return this.#exchange.facts.headers.names();
  }
}
