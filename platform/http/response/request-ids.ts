import { randomBytes } from 'node:crypto';
import { textHoldsCardData } from '#platform/card-data/find-card-data.js';
import type { RequestHeaders } from './request-headers.js';

const acceptable = /^[A-Za-z0-9._-]{8,64}$/;
const traceparent = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** A prefix per process; together with a count it is unique. */
export const ownIdPrefix = `${randomBytes(9).toString('base64url')}-`;
let made = 0;

/** The caller's ids when they are well formed, so that one id follows a request through every log. */
export function requestIds(headers: RequestHeaders): {
  readonly requestId: string;
  readonly traceId: string;
  readonly ownId: number;
} {
  const offered = headers.get('x-request-id');
  const taken = offered !== undefined && acceptable.test(offered) && !textHoldsCardData(offered);
  const ownId = taken ? -1 : made++;
  const requestId = ownId < 0 ? offered! : ownIdPrefix + ownId.toString(36);
  const parent = headers.get('traceparent');
  const traceId = parent === undefined ? undefined : traceparent.exec(parent)?.[1];
  return { requestId, traceId: traceId ?? requestId, ownId };
}
