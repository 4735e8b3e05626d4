import type { WithHeaders } from './base-url.js';

/** Whether the client takes gzip; `gzip;q=0` is a refusal. */
export const acceptsGzip = (request: WithHeaders): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(request.header('accept-encoding') ?? '');
