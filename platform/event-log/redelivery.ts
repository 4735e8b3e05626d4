import { eventLogLimits } from './limits.js';

/**
 * Waits before the next attempt at a batch: doubling, with the upper half random so that consumers do not
 * retry at the same time.
 */
export function redeliveryDelayMs(attempt: number, random: () => number = Math.random): number {
  const { redeliveryFirstMs, redeliveryLastMs } = eventLogLimits;
  const full = Math.min(redeliveryFirstMs * 2 ** (attempt - 1), redeliveryLastMs);
  return full / 2 + (random() * full) / 2;
}
