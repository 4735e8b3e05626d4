import { createHmac } from 'node:crypto';

const dayMs = 86_400_000;
/** A number is exact below 2^53. */
const mask = (1n << 53n) - 1n;

/**
 * The pseudonym in observations: a keyed hash over the user and the UTC day of acceptance. Without the key,
 * it cannot be traced back to the user, and two days cannot be linked.
 */
export function driverPseudonym(key: string, userId: string, receivedMs: number): number {
  const day = Math.floor(receivedMs / dayMs);
  const digest = createHmac('sha256', key).update(`${day}\n${userId}`).digest();
  return Number(digest.readBigUInt64BE(0) & mask);
}
