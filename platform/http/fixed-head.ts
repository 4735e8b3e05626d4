import { ownLines } from './answer-head.js';
import type { HttpAnswer, RatePolicy } from './http-types.js';
import { fixedRateLines } from './rate-limiter.js';
import { ownIdPrefix } from './request-ids.js';
import { apiHeaderLines } from './security-headers.js';
import { statusLine } from './status-lines.js';

/**
 * What heads of an answer have in common from one request to the next; the rest of the request's id and what
 * is left of its rate follow.
 */
export function fixedHead(
  answer: Pick<HttpAnswer, 'status' | 'headers'>,
  contentType: string,
  policy: RatePolicy | undefined,
): string {
  const vary = answer.headers?.['vary'];
  return [
    statusLine(answer.status),
    apiHeaderLines,
    ownLines(answer, contentType),
    vary === undefined ? '' : `\r\nvary: ${vary}`,
    policy === undefined ? '' : fixedRateLines(policy),
    `\r\nx-request-id: ${ownIdPrefix}`,
  ].join('');
}
