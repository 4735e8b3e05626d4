import type { RatePolicy } from './http-types.js';
import type { RateVerdict } from './rate-limiter.js';
import { fixedRateLines } from './rate-limiter.js';
import { ownIdPrefix } from './request-ids.js';
import { apiHeaderLines } from './security-headers.js';
import { statusLine } from './status-lines.js';

/*
 * The head of an answer with nothing special about it, written into one buffer that is used again. What such answers have in common stays
 * in it from one to the next, so that only what differs is written, and the native side reads bytes instead of turning a text into them:
 *
 *   ┌────────────────────────────────────────────┬──────────────┬──────────────────────────────┐
 *   │ status, security, type, caching, policy    │ x-request-id │ ratelimit, -remaining, -reset │
 *   └────────────────────────────────────────────┴──────────────┴──────────────────────────────┘
 *     the same while status, type and policy are
 */
const headBytesMax = 2_048;
/** What differs: an id, and three numbers with their names. */
const variableBytesMax = 160;
const bytes = new Uint8Array(headBytesMax);
/** Views of the first so many bytes, made once each. */
const views: Uint8Array[] = [];

let status = 0;
let contentType = '';
let policy: RatePolicy | undefined;
let fixedEnd = 0;
let nameLine = '';
let at = 0;

export interface Rated {
  readonly policy: RatePolicy;
  readonly verdict: RateVerdict;
}

/** Valid until the next call; nothing when the parts do not fit. The request's id is one of ours: `ownIdPrefix` and `ownId` in base 36. */
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
    nameLine = policy === undefined ? '' : `\r\nratelimit: "${policy.name}";r=`;
    at = 0;
    const lines = `${statusLine(status)}${apiHeaderLines}${ofType === '' ? '' : `\r\ncontent-type: ${ofType}`}\r\ncache-control: no-store${policy === undefined ? '' : fixedRateLines(policy)}\r\nx-request-id: ${ownIdPrefix}`;
    fixedEnd = 0;
    if (lines.length + nameLine.length + variableBytesMax > headBytesMax) return undefined;
    text(lines);
    fixedEnd = at;
  }
  at = fixedEnd;
  // From its number: its text would have to be put together first.
  number(ownId, 36);
  if (rated !== undefined) {
    const { remaining, resetS } = rated.verdict;
    text(nameLine);
    number(remaining);
    text(';t=');
    number(resetS);
    text('\r\nratelimit-remaining: ');
    number(remaining);
    text('\r\nratelimit-reset: ');
    number(resetS);
  }
  views[at] ??= bytes.subarray(0, at);
  return views[at];
}

/** ASCII only, as all header lines of ours are. */
function text(letters: string): void {
  for (let i = 0; i < letters.length; i++) bytes[at++] = letters.charCodeAt(i);
}

function number(value: number, base = 10): void {
  let digits = 1;
  for (let limit = base; value >= limit; limit *= base) digits++;
  let rest = value;
  for (let i = at + digits - 1; i >= at; i--) {
    const digit = rest % base;
    bytes[i] = digit < 10 ? 0x30 + digit : 0x57 + digit;
    rest = Math.floor(rest / base);
  }
  at += digits;
}
