import type { OrderChange } from './change-order.js';
import { actionOf } from './code-actions.js';
import type { Order } from './order.js';

/** `forPeople`: also where the code alone would not need a person. */
export function failed(set: OrderChange['set'], code: string, forPeople = false): OrderChange {
  const manual = forPeople || actionOf(code, 'cancel') === 'manual';
  return {
    set: {
      ...set,
      status: 'FAILED',
      isFinal: true,
      pending: undefined,
      nextAttemptMs: undefined,
      failureCode: code,
    },
    cause: code,
    event: { kind: 'failed' },
    ...(manual ? { forPeople: true } : {}),
  };
}

/**
 * The nonce is closed at the provider: no money, for good. Our own call and the provider's webhook may be the
 * first to say so; the reason is the same. `otherwise`: the code if we had no reason to close it.
 */
export function closed(
  order: Order,
  set: OrderChange['set'],
  { nowMs, attemptsMax, otherwise }: { nowMs: number; attemptsMax: number; otherwise: string },
): OrderChange {
  if (order.voidRequested || order.cancelRequested) return failed(set, 'voided');
  if (order.card.isDeleted) return failed(set, 'unknown_card_token');
  if (order.expiresMs <= nowMs) return failed(set, 'expired');
  const isExhausted = order.pending === 'unknown' && order.attempts >= attemptsMax;
  return failed(set, isExhausted ? 'retries_exhausted' : otherwise);
}
