import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Verification } from '#platform/webhooks/verify-webhook.js';
import { stripeLimits } from './limits.js';

export type StripeVerification =
  | { readonly ok: true; readonly atMs: number }
  | Extract<Verification, { readonly ok: false }>;

/**
 * Checks `Stripe-Signature: t=…,v1=…[,v1=…]` before anything of the body is read: one of the secrets signed
 * time and body by HMAC-SHA256, and the time is within the tolerance. Other schemes, such as `v0`, do not
 * count. Signatures are compared in constant time.
 */
export function verifyStripeSignature(
  header: string | undefined,
  body: string,
  secrets: readonly string[],
  nowMs: number,
  toleranceMs: number,
): StripeVerification {
  if (header === undefined || header.length > stripeLimits.headerLengthMax)
    return { ok: false, reason: 'unsigned' };
  const pairs = header.split(',').map((part) => part.trim().split('=', 2));
  const times = pairs.filter(([scheme]) => scheme === 't').map(([, value]) => value ?? '');
  const given = pairs
    .filter(([scheme, value]) => scheme === 'v1' && value !== undefined && /^[0-9a-f]{64}$/.test(value))
    .map(([, value]) => Buffer.from(value!, 'hex'))
    .slice(0, stripeLimits.signaturesMax);
  const [time] = times;
  if (times.length !== 1 || time === undefined || !/^\d{1,12}$/.test(time) || given.length === 0)
    return { ok: false, reason: 'unsigned' };
  const matches = secrets.filter((secret) => {
    const expected = createHmac('sha256', secret).update(`${time}.${body}`).digest();
    // No early exit: the number of comparisons must not depend on which signature matches.
    return given.filter((one) => timingSafeEqual(one, expected)).length > 0;
  });
  if (matches.length === 0) return { ok: false, reason: 'forged' };
  const atMs = Number(time) * 1_000;
  if (nowMs - atMs > toleranceMs) return { ok: false, reason: 'too old' };
  if (atMs - nowMs > toleranceMs) return { ok: false, reason: 'from the future' };
  return { ok: true, atMs };
}
