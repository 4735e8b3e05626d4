import type { Static, TSchema } from 'typebox';
import type { RouteContract } from '#schemas/http/route-contract.js';
import type { Problem } from '#schemas/http/shapes.js';
import type { Identity } from './identity.js';

type JsonValue = object | readonly unknown[] | number | boolean | null;

/** What a handler answers. An object or array is sent as JSON, bytes and text as they are. */
export interface HttpAnswer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: JsonValue | string | Uint8Array;
  /** Defaults: `application/json` for values, `text/plain; charset=utf-8` for text, octets for bytes. */
  readonly contentType?: string;
  /** Made by `problem()` only; excludes `body`. */
  readonly problem?: Problem;
  /** Milliseconds by phase, for `Server-Timing`. */
  readonly timings?: Readonly<Record<string, number>>;
  /** The same object is the answer to many requests and never changes, so its head is built once. */
  readonly isKept?: true;
}

/** One request as a handler sees it: already authenticated, bounded and validated. */
export interface HttpRequest {
  readonly method: string;
  /** As sent, undecoded, without the query. */
  readonly path: string;
  readonly params: unknown;
  readonly query: unknown;
  /**
   * The validated JSON value when the contract's body has a schema; else the raw bytes, decompressed. Raw
   * bytes are valid only until the handler returns or first awaits: copy what must live longer. A
   * `StreamedBody` when the contract says so.
   */
  readonly body: unknown;
  /** Of the body, lower case, without parameters; empty when there is no body. */
  readonly contentType: string;
  /** Present exactly when the contract requires scopes. */
  readonly identity: Identity | undefined;
  readonly requestId: string;
  /** Trace id of the caller's `traceparent`, else the request id. */
  readonly traceId: string;
  /** Fires when the client has disconnected; the answer will not be read. */
  readonly signal: AbortSignal;
  /** Textual IP address of the client; behind trusted proxies, the one that they saw. */
  readonly clientAddress: string;
  /**
   * Address of this server for the client, without a slash at the end. Nothing if the Host field has no host.
   */
  baseUrl(): string | undefined;
  /** Value of a header by lower-case name. */
  header(name: string): string | undefined;
  /** Lower-case names of all headers. */
  headerNames(): readonly string[];
}

/** A body that its handler reads piece by piece, as fast as it can use it. */
export interface StreamedBody extends AsyncIterable<Uint8Array> {
  /** Receives the rest without reading it, so that a client that is still sending sees the answer. */
  discard(): Promise<void>;
}

type StaticOr<S, Otherwise> = S extends TSchema ? Static<S> : Otherwise;
type BodyOf<C extends RouteContract> = C extends { readonly body: infer B }
  ? B extends { readonly streamed: true }
    ? StreamedBody
    : B extends { readonly schema: infer S }
      ? StaticOr<S, Uint8Array>
      : Uint8Array
  : undefined;

/** The request with the types of one contract. */
export type RequestOf<C extends RouteContract> = Omit<
  HttpRequest,
  'params' | 'query' | 'body' | 'identity'
> & {
  readonly params: C extends { readonly params: infer S } ? StaticOr<S, object> : object;
  readonly query: C extends { readonly query: infer S } ? StaticOr<S, object> : object;
  readonly body: BodyOf<C>;
  readonly identity: C['scopes'] extends 'open' ? undefined : Identity;
};

/** Under pressure tiles are refused first and location writes last. `vital` is never refused. */
export type Priority = 'vital' | 'location' | 'navigation' | 'tile';

export interface RatePolicy {
  /** Short token for the `RateLimit` headers. */
  readonly name: string;
  readonly limit: number;
  readonly windowS: number;
}

/**
 * A later answer without a promise, for the most frequent operation. It is called once with a function that
 * accepts the answer once. A rejected promise given to it is a server error, as from any other handler.
 */
export type LateAnswer = (settle: (answer: HttpAnswer | Promise<HttpAnswer>) => void) => void;

export interface Route {
  readonly contract: RouteContract;
  readonly handle: (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer> | LateAnswer;
  readonly priority: Priority;
  /** Replaces the server's policy for this operation. */
  readonly rate?: RatePolicy;
  /**
   * Path, query, body and idempotency key are refused when card data is in them; see `without-card-data.ts`.
   */
  readonly refusesCardData?: true;
}

export interface RouteOptions {
  readonly priority?: Priority;
  readonly rate?: RatePolicy;
}

/**
 * Ties a handler to its contract, with the contract's types.
 *
 * ```ts
 * route(getNav, async ({ query }) => {
 *   return { status: 200, body: await navigate(query.origin, query.destination) };
 * });
 * ```
 */
export function route<const C extends RouteContract>(
  contract: C,
  handle: (request: RequestOf<C>) => HttpAnswer | Promise<HttpAnswer> | LateAnswer,
  options: RouteOptions = {},
): Route {
  return {
    contract,
    // The server calls the handler only after the validators compiled from this very contract have passed.
    handle: handle as unknown as Route['handle'],
    priority: options.priority ?? 'navigation',
    ...(options.rate === undefined ? {} : { rate: options.rate }),
  };
}

/**
 * A page or file for browsers: outside the API, hence outside OpenAPI. `/assets/*` matches everything below.
 */
export interface Page {
  readonly path: string;
  readonly handle: (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>;
}
