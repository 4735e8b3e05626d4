import type { Problem } from '#schemas/http/shapes.js';
import type { HttpAnswer } from './http-types.js';

/**
 * One kind of refusal (RFC 9457). Rooms declare theirs as values beside the code that refuses, and hand them to the
 * server, which serves a page for each under `/problems/<code>`.
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
 * The only place where problem answers are made. The server adds `instance` and `trace_id` when it writes them.
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
    title: 'The request cannot be understood',
    advice: 'The detail names the part that is wrong. Sending the same request again will not help.',
  },
  invalid: {
    code: 'invalid-request',
    status: 400,
    title: 'Some fields are missing or wrong',
    advice: 'Each entry of `errors` points at one field and says what it should be.',
  },
  cardData: {
    code: 'card-number-refused',
    status: 400,
    title: 'The request holds a card number',
    advice: 'Nothing was kept. Card data is typed on the page of the provider. Write phone numbers with `+`.',
  },
  unauthenticated: {
    code: 'unauthenticated',
    status: 401,
    title: 'A valid bearer token is needed',
    advice:
      'Send `Authorization: Bearer <token>` with a token of the configured issuer that has not expired.',
  },
  forbidden: {
    code: 'forbidden',
    status: 403,
    title: 'The token does not allow this',
    advice: 'The detail names the scopes, any of which would be enough.',
  },
  notFound: {
    code: 'not-found',
    status: 404,
    title: 'There is nothing here',
    advice:
      'Check the path and the identifiers in it. Things of other users look exactly like things that do not exist.',
  },
  methodNotAllowed: {
    code: 'method-not-allowed',
    status: 405,
    title: 'This path does not answer this method',
    advice: 'The `Allow` header names the methods that it answers.',
  },
  tooLarge: {
    code: 'body-too-large',
    status: 413,
    title: 'The body is larger than this operation takes',
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
    title: 'The body is of a type or encoding that is not taken here',
    advice: 'The detail names the content types and encodings that are.',
  },
  tooManyRequests: {
    code: 'too-many-requests',
    status: 429,
    title: 'More requests than allowed',
    advice:
      'Wait for the seconds of `Retry-After`. The `RateLimit` headers of earlier answers say how much is left.',
  },
  headersTooLarge: {
    code: 'headers-too-large',
    status: 431,
    title: 'The header fields are too many or too large',
    advice: 'Keep them within 64 fields and 8,192 bytes.',
  },
  internal: {
    code: 'internal-error',
    status: 500,
    title: 'The server failed',
    advice: 'The fault is ours. Quote the `trace_id` when you report it.',
  },
  overloaded: {
    code: 'overloaded',
    status: 503,
    title: 'The server is busy',
    advice: 'Nothing was done. Send the request again after the seconds of `Retry-After`.',
  },
  unavailable: {
    code: 'unavailable',
    status: 503,
    title: 'Something this operation needs is not there now',
    advice:
      'It may have been done. Send the same request with the same ids again after `Retry-After` seconds.',
  },
} as const satisfies Record<string, ProblemKind>;
