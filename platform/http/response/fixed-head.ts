import type { HttpAnswer, RatePolicy } from '../http-types.js';
import { fixedRateLines } from '../rate-limiter.js';
import { apiHeaderLines } from '../security-headers.js';
import { ownLines } from './answer-head.js';
import { ownIdPrefix } from './request-ids.js';
import { statusLine } from './status-lines.js';

/**
 * The part of a response head that is the same for consecutive requests. The rest of the request id and the
 * remaining rate follow.
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
