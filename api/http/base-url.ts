import type { HttpRequest } from '#platform/http/http-types.js';

/** The answer to a request without a usable Host header. */
export const noHost = 'The Host header has no host.';

export type WithHeaders = Pick<HttpRequest, 'header'>;

/** The public address of this server: as configured, else from the Host header. */
export function baseUrl(request: WithHeaders, publicUrl: string | undefined): string | undefined {
  if (publicUrl !== undefined) return publicUrl.replace(/\/$/, '');
  const host = request.header('host') ?? '';
  return /^[\w.-]{1,253}(?::\d{1,5})?$|^\[[0-9a-f:]{2,39}\](?::\d{1,5})?$/i.test(host)
    ? `http://${host}`
    : undefined;
}
