import type { HttpAnswer } from '#platform/http/http-types.js';
import type { Identity } from '#platform/http/identity.js';
import { problem, problems } from '#platform/http/problem.js';
import type { Attempt } from '../hotels/hotels.js';
import { staticLimits } from '../hotels/limits.js';

export type AttemptOutcome =
  | { readonly ok: true; readonly attempt: Attempt }
  | { readonly ok: false; readonly refusal: HttpAnswer };

/** Reads the header `Idempotency-Key`, which belongs to the caller alone. */
export function attemptOf(request: {
  readonly identity: Identity;
  header(name: string): string | undefined;
}): AttemptOutcome {
  const caller = request.identity.userId;
  const idempotencyKey = request.header('idempotency-key');
  if (idempotencyKey === undefined) return { ok: true, attempt: { caller } };
  if (!/^[\x21-\x7e]+$/.test(idempotencyKey) || idempotencyKey.length > staticLimits.idempotencyKeyMax) {
    const detail =
      `Idempotency-Key must be 1 to ${staticLimits.idempotencyKeyMax} printable characters ` +
      'without spaces.';
    return { ok: false, refusal: problem(problems.malformed, detail) };
  }
  return { ok: true, attempt: { caller, idempotencyKey } };
}
