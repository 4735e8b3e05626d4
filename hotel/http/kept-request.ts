import type { HttpRequest } from '#platform/http/http-types.js';

/** Outlives the first await, after which the bytes of a body are others. */
export const kept = (request: HttpRequest): HttpRequest => ({
  method: request.method,
  path: request.path,
  params: request.params,
  query: request.query,
  body: request.body instanceof Uint8Array ? Buffer.from(request.body) : request.body,
  contentType: request.contentType,
  identity: request.identity,
  requestId: request.requestId,
  traceId: request.traceId,
  signal: request.signal,
  clientAddress: request.clientAddress,
  baseUrl: () => request.baseUrl(),
  header: (name) => request.header(name),
  headerNames: () => request.headerNames(),
});
