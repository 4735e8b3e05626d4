import type { HttpAnswer, RatePolicy } from '../http-types.js';
import { fixedHead } from './fixed-head.js';
import { nameLineOf, putVariable, type Rated, variableBytesMax } from './head-bytes.js';

/**
 * The cached head of an answer that is sent many times. The part of the current request is written behind
 * `fixedEnd`.
 */
interface KeptHead {
  readonly policy: RatePolicy | undefined;
  readonly nameLine: string;
  readonly bytes: Uint8Array;
  readonly fixedEnd: number;
  /** The complete head of the last answer. */
  whole: Uint8Array;
}

/** Garbage-collected with the answers. */
const heads = new WeakMap<HttpAnswer, KeptHead>();

/** Whether the answer was sent before; then its headers are complete. */
export const hasHead = (answer: HttpAnswer): boolean => heads.has(answer);

/** Valid until the next call for the same answer. */
export function cachedHead(
  answer: HttpAnswer,
  contentType: string,
  ownId: number,
  rated: Rated | undefined,
): Uint8Array {
  let head = heads.get(answer);
  if (head === undefined || head.policy !== rated?.policy) {
    head = headOf(answer, contentType, rated?.policy);
    heads.set(answer, head);
  }
  const end = putVariable(head.bytes, head.fixedEnd, ownId, head.nameLine, rated);
  if (end !== head.whole.length) head.whole = head.bytes.subarray(0, end);
  return head.whole;
}

function headOf(answer: HttpAnswer, contentType: string, policy: RatePolicy | undefined): KeptHead {
  const nameLine = nameLineOf(policy);
  const fixed = Buffer.from(fixedHead(answer, contentType, policy));
  const bytes = new Uint8Array(fixed.length + nameLine.length + variableBytesMax);
  bytes.set(fixed);
  return { policy, nameLine, bytes, fixedEnd: fixed.length, whole: bytes.subarray(0, 0) };
}
