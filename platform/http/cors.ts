import type { HttpAnswer } from './http-types.js';

/**
 * Origins of the allow-list, compared completely: never `*`, never `null`, never an origin that is merely
 * echoed.
 */
export type TrustedOrigins = ReadonlySet<string>;

const exposed =
  'deprecation, etag, link, location, ratelimit, ratelimit-policy, retry-after, server-timing, sunset, ' +
  'x-request-id, idempotent-replayed';
const originPattern = /^https?:\/\/[a-z0-9.-]{1,253}(?::\d{1,5})?$/;

/** Throws for an entry that is no origin: a typing error in the list must not open or close it silently. */
export function trustedOrigins(list: readonly string[]): TrustedOrigins {
  for (const origin of list) {
    if (!originPattern.test(origin)) {
      throw new Error(`"${origin}" is no origin; write it as https://host or http://host:port in lower case`);
    }
  }
  return new Set(list);
}

/** Header lines, each with a line break before it; none for an origin that is not trusted. */
export function corsLines(origin: string | undefined, trusted: TrustedOrigins): string {
  if (origin === undefined || !trusted.has(origin)) return '';
  return `\r\naccess-control-allow-origin: ${origin}\r\naccess-control-expose-headers: ${exposed}`;
}

export function preflightAnswer(
  origin: string | undefined,
  trusted: TrustedOrigins,
  allow: readonly string[],
): HttpAnswer {
  const allowed = allow.join(', ');
  if (origin === undefined || !trusted.has(origin)) return { status: 204, headers: { allow: allowed } };
  return {
    status: 204,
    headers: {
      allow: allowed,
      'access-control-allow-methods': allowed,
      'access-control-allow-headers':
        'authorization, content-type, content-encoding, idempotency-key, if-match, if-none-match, ' +
        'traceparent, x-api-key, x-request-id',
      'access-control-max-age': '600',
    },
  };
}
