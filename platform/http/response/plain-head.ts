import type { RatePolicy } from '../http-types.js';
import { fixedHead } from './fixed-head.js';
import { nameLineOf, putText, putVariable, type Rated, variableBytesMax } from './head-bytes.js';

/**
 * The head of an answer without unusual headers, written into one reused buffer. The common part stays in the
 * buffer, only the rest is written, and the native side reads bytes instead of converting a text:
 *
 *   ┌────────────────────────────────────────────┬──────────────┬──────────────────────────────┐
 *   │ status, security, type, caching, policy    │ x-request-id │ ratelimit, -remaining, -reset │
 *   └────────────────────────────────────────────┴──────────────┴──────────────────────────────┘
 *     the same while status, type and policy are
 */
const headBytesMax = 2_048;
const bytes = new Uint8Array(headBytesMax);
/** Views of the first n bytes, created once each. */
const views: Uint8Array[] = [];

let status = 0;
let contentType = '';
let policy: RatePolicy | undefined;
let fixedEnd = 0;
let nameLine = '';

/**
 * Valid until the next call; nothing when the parts do not fit. The request's id is one of ours:
 * `ownIdPrefix` and `ownId` in base 36.
 */
export function plainHead(
  ofStatus: number,
  ofType: string,
  ownId: number,
  rated: Rated | undefined,
): Uint8Array | undefined {
  if (ofStatus !== status || ofType !== contentType || rated?.policy !== policy || fixedEnd === 0) {
    status = ofStatus;
    contentType = ofType;
    policy = rated?.policy;
    nameLine = nameLineOf(policy);
    const lines = fixedHead({ status }, contentType, policy);
    fixedEnd = 0;
    if (lines.length + nameLine.length + variableBytesMax > headBytesMax) return undefined;
    fixedEnd = putText(bytes, 0, lines);
  }
  const end = putVariable(bytes, fixedEnd, ownId, nameLine, rated);
  views[end] ??= bytes.subarray(0, end);
  return views[end];
}
