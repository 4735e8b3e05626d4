import { timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

export interface SignedWebhook {
  readonly id: string | undefined;
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
  readonly body: string;
}

export type Verification =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly reason: 'unsigned' | 'forged' | 'too old' | 'from the future' };

const signaturesMax = 8;

/**
 * Checks a webhook by the rules of Standard Webhooks before anything of its body is read: one of at most two
 * secrets signed id, time and body, and the time is within the tolerance. Signatures are compared in constant
 * time. `secrets` are `whsec_…`.
 */
export function verifyWebhook(
  { id, timestamp, signature, body }: SignedWebhook,
  secrets: readonly string[],
  nowMs: number,
  toleranceMs: number,
): Verification {
  if (id === undefined || !/^[\w.:-]{1,128}$/.test(id)) return { ok: false, reason: 'unsigned' };
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) return { ok: false, reason: 'unsigned' };
  if (signature === undefined) return { ok: false, reason: 'unsigned' };
  const at = new Date(Number(timestamp) * 1_000);
  const given = signature.split(' ').slice(0, signaturesMax);
  const matches = secrets.filter((secret) => {
    const expected = new Webhook(secret).sign(id, at, body);
    // No early exit: the number of comparisons must not depend on which signature matches.
    return given.filter((one) => sameText(one, expected)).length > 0;
  });
  if (matches.length === 0) return { ok: false, reason: 'forged' };
  if (nowMs - at.getTime() > toleranceMs) return { ok: false, reason: 'too old' };
  if (at.getTime() - nowMs > toleranceMs) return { ok: false, reason: 'from the future' };
  return { ok: true, id };
}

function sameText(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}
