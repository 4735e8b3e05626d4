import type { HttpRequest } from '#platform/http/http-types.js';

/** The answer to a request without a usable Host header. */
export const noHost = 'The Host header has no host.';

export type WithHeaders = Pick<HttpRequest, 'header'>;
export type WithBaseUrl = Pick<HttpRequest, 'baseUrl'>;

/** The fields of a request that `baseUrl` reads. */
export const varyOfBaseUrl = 'host, x-forwarded-proto, x-forwarded-prefix';
