import type { Problem } from '#schemas/http/shapes.js';
import type { HttpAnswer } from './http-types.js';

/**
 * One kind of refusal (RFC 9457). Packages declare theirs as values next to the code that refuses, and pass
 * them to the server, which serves a page for each under `/problems/<code>`.
 */
export interface ProblemKind {
  /** Stable, kebab-case: what programs branch on. */
  readonly code: string;
  readonly status: number;
  readonly title: string;
  /** What a client should do about it; the text of the page. */
  readonly advice: string;
}

export interface FieldError {
  /** JSON pointer into the body, or `/query/<name>` and `/path/<name>`. */
  readonly pointer: string;
  readonly message: string;
}

export interface ProblemExtras {
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Whole seconds; becomes `Retry-After`. */
  readonly retryAfterS?: number;
}

/**
 * The only place where problem answers are made. The server adds `instance` and `trace_id` when it writes
 * them.
 *
 * ```ts
 * return problem(problems.notFound, 'No road within 100 m of the place.');
 * ```
 */
export function problem(kind: ProblemKind, detail?: string, extras: ProblemExtras = {}): HttpAnswer {
  const body: Problem = {
    type: `/problems/${kind.code}`,
    title: kind.title,
    status: kind.status,
    code: kind.code,
    ...(detail === undefined ? {} : { detail }),
    ...(extras.errors === undefined ? {} : { errors: [...extras.errors] }),
  };
  const headers =
    extras.retryAfterS === undefined
      ? extras.headers
      : { ...extras.headers, 'retry-after': String(extras.retryAfterS) };
  return {
    status: kind.status,
    ...(headers === undefined ? {} : { headers }),
    problem: body,
  };
}

export const problems = {
  malformed: {
    code: 'malformed-request',
    status: 400,
    title: 'The request is malformed',
    advice: 'The detail names the part that is wrong. Do not retry without a change.',
  },
  invalid: {
    code: 'invalid-request',
    status: 400,
    title: 'Some fields are missing or invalid',
    advice: 'Each entry of `errors` points at one field and says what it should be.',
  },
  cardData: {
    code: 'card-number-refused',
    status: 400,
    title: 'The request contains a card number',
    advice:
      'Nothing was stored. Enter card data only on the page of the provider. Write phone numbers with ' +
      '`+`.',
  },
  unauthenticated: {
    code: 'unauthenticated',
    status: 401,
    title: 'A valid bearer token is required',
    advice: 'Send `Authorization: Bearer <token>` with an unexpired token from the configured issuer.',
  },
  forbidden: {
    code: 'forbidden',
    status: 403,
    title: 'The token does not allow this operation',
    advice: 'The detail lists the scopes; any one of them is enough.',
  },
  notFound: {
    code: 'not-found',
    status: 404,
    title: 'Not found',
    advice:
      'Check the path and its identifiers. Resources of other users look like resources that do not exist.',
  },
  methodNotAllowed: {
    code: 'method-not-allowed',
    status: 405,
    title: 'Method not allowed',
    advice: 'The `Allow` header lists the allowed methods.',
  },
  tooLarge: {
    code: 'body-too-large',
    status: 413,
    title: 'The body is too large',
    advice: 'Send it in smaller parts. The limit counts the bytes after decompression.',
  },
  urlTooLong: {
    code: 'url-too-long',
    status: 414,
    title: 'The URL is too long',
    advice: `Keep path and query within 2,048 bytes.`,
  },
  unsupportedMediaType: {
    code: 'unsupported-media-type',
    status: 415,
    title: 'Unsupported content type or encoding',
    advice: 'The detail lists the supported content types and encodings.',
  },
  tooManyRequests: {
    code: 'too-many-requests',
    status: 429,
    title: 'Too many requests',
    advice:
      'Retry after `Retry-After` seconds. The `RateLimit` headers of earlier answers show the ' +
      'remaining quota.',
  },
  quotaExceeded: {
    code: 'quota-exceeded',
    status: 429,
    title: 'The quota of the month is used up',
    advice:
      'The `RateLimit` header shows the quota and the seconds until it is renewed, as `Retry-After` does. ' +
      '`GET /v1/usage` shows what was counted. Ask the operator for another plan.',
  },
  headersTooLarge: {
    code: 'headers-too-large',
    status: 431,
    title: 'The header fields are too large',
    advice: 'Keep them within 64 fields and 8,192 bytes.',
  },
  internal: {
    code: 'internal-error',
    status: 500,
    title: 'The server failed',
    advice: 'This is a fault of the server. Include the `trace_id` when you report it.',
  },
  overloaded: {
    code: 'overloaded',
    status: 503,
    title: 'The server is busy',
    advice: 'Nothing was done. Retry after `Retry-After` seconds.',
  },
  unavailable: {
    code: 'unavailable',
    status: 503,
    title: 'A dependency of this operation is unavailable',
    advice: 'The operation may have taken effect. Retry with the same ids after `Retry-After` seconds.',
  },
} as const satisfies Record<string, ProblemKind>;
