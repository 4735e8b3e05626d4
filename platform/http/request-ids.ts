import { randomUUID } from 'node:crypto';
import type { RequestHeaders } from './request-headers.js';

const acceptable = /^[A-Za-z0-9._-]{8,64}$/;
const traceparent = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The caller's ids when they are well formed, so that one id follows a request through every log. */
export function requestIds(headers: RequestHeaders): {
  readonly requestId: string;
  readonly traceId: string;
} {
  const offered = headers.get('x-request-id');
  const requestId = offered !== undefined && acceptable.test(offered) ? offered : randomUUID();
  const parent = headers.get('traceparent');
  const traceId = parent === undefined ? undefined : traceparent.exec(parent)?.[1];
  return { requestId, traceId: traceId ?? requestId };
}
