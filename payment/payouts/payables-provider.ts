import type { Money } from '../money/money.js';

export interface Payable {
  /**
   * Our id, by which the provider recognizes a repetition: it pays at most once per id, however often it is
   * requested.
   */
  readonly payoutId: string;
  /** The seller's bank account. */
  readonly sellerAccount: string;
  readonly amount: Money;
}

export type PayableState =
  /** Accepted; `find` returns the outcome later. */
  | { readonly kind: 'processing'; readonly reference: string }
  | { readonly kind: 'paid'; readonly reference: string }
  /** Not paid and never will be: a closed account, a refused name. */
  | { readonly kind: 'failed'; readonly code: string; readonly reason: string }
  /** Was paid, and the seller's bank sent it back. */
  | { readonly kind: 'returned'; readonly reference: string; readonly reason: string }
  /** No answer, or an unusable one: the payout may have been paid. Only `find` can determine the outcome. */
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * Moves money from our bank to the sellers' banks. Adapters never reject because of the network: that is
 * `unknown`.
 *
 * ```ts
 * const state = await provider.pay({ payoutId: 'p-1', sellerAccount: 'DE02120300000000202051', amount });
 * ```
 */
export interface PayablesProvider {
  pay(payable: Payable): Promise<PayableState>;
  /** The state at the provider; `absent` when the provider does not know the payout. */
  find(payoutId: string): Promise<PayableState | { readonly kind: 'absent' }>;
}
