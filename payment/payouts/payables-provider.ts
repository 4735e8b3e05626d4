import type { Money } from '../money/money.js';

export interface Payable {
  /**
   * Our id, by which the provider tells a repetition: it pays at most once for it, however often it is asked.
   */
  readonly payoutId: string;
  /** The seller's bank account. */
  readonly sellerAccount: string;
  readonly amount: Money;
}

export type PayableState =
  /** Accepted; `find` tells later how it ended. */
  | { readonly kind: 'processing'; readonly reference: string }
  | { readonly kind: 'paid'; readonly reference: string }
  /** Not paid and never will be: a closed account, a refused name. */
  | { readonly kind: 'failed'; readonly code: string; readonly reason: string }
  /** Was paid, and the seller's bank sent it back. */
  | { readonly kind: 'returned'; readonly reference: string; readonly reason: string }
  /** No answer, or one that says nothing: it may have been paid. Only `find` may tell. */
  | { readonly kind: 'unknown'; readonly reason: string };

/**
 * Whoever moves money from our bank to the sellers' banks. Adapters never reject for what the network does:
 * that is `unknown`.
 *
 * ```ts
 * const state = await provider.pay({ payoutId: 'p-1', sellerAccount: 'DE02120300000000202051', amount });
 * ```
 */
export interface PayablesProvider {
  pay(payable: Payable): Promise<PayableState>;
  /** How it stands with the provider; `absent` when it has never heard of it. */
  find(payoutId: string): Promise<PayableState | { readonly kind: 'absent' }>;
}
