import { type RunningSpan, traceHeader, tracing } from '#platform/telemetry/tracing.js';
import type { Endpoint } from '../endpoint.js';
import type { RequestHeaders } from '../response/request-headers.js';

/**
 * The span of a request, if it is sampled. It has the path of the contract, never that of the request, which
 * may name persons and places. Probes and scrapes have none.
 */
export function requestSpan(
  method: string,
  endpoint: Pick<Endpoint, 'label' | 'priority'> | undefined,
  headers: RequestHeaders,
): RunningSpan | undefined {
  const on = tracing();
  if (on === undefined || endpoint === undefined || isProbe(method, endpoint)) return undefined;
  return on.request(`${method} ${endpoint.label}`, headers.get(traceHeader), {
    'http.request.method': method,
    'http.route': endpoint.label,
  });
}

/** Webhooks of providers are as vital, and are traced. */
const isProbe = (method: string, { priority }: Pick<Endpoint, 'priority'>): boolean =>
  priority === 'vital' && method === 'GET';

export function endRequestSpan(span: RunningSpan, status: number): void {
  span.set({ 'http.response.status_code': status });
  if (status >= 500) span.set({ 'error.type': String(status) });
  span.end();
}

/** Tracing may have ended meanwhile. */
export function within<Result>(span: RunningSpan, work: () => Result): Result {
  const on = tracing();
  return on === undefined ? work() : on.within(span, work);
}
