/** What a provider says of one payment. The words are ours; an adapter translates. */
export const pspStatuses = [
  'registered',
  'processing',
  'review',
  'challenge',
  'authorized',
  'captured',
  'declined',
  'expired',
  'voided',
] as const;
export type PspStatus = (typeof pspStatuses)[number];

export interface PspPayment {
  /** The payment order's id: the provider never processes two payments under one. */
  readonly nonce: string;
  /** The provider's own name for the payment. */
  readonly reference: string;
  /** Identifies the registration on the hosted page and in the redirect. */
  readonly token?: string;
  readonly pageUrl?: string;
  readonly status: PspStatus;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly capturedMinor: bigint;
  /** Why it was declined. */
  readonly code?: string;
  /** Grows with each change of this payment, so that stale events can be detected. */
  readonly sequence: number;
}

export interface PspRefund {
  readonly nonce: string;
  readonly reference: string;
  readonly status: 'processing' | 'refunded' | 'refused';
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly code?: string;
}

/**
 * What is known after a call. `unknown` is not a failure: the provider may have done it, and only a query
 * with the nonce shows the outcome. `suspect` means that the peer had another certificate, so we did not talk
 * to the provider at all.
 */
export type PspAnswer<Value> =
  | { readonly kind: 'known'; readonly value: Value }
  /** The provider does not know the nonce. */
  | { readonly kind: 'absent' }
  /** The provider says that it did nothing. */
  | { readonly kind: 'refused'; readonly code: string; readonly retryAfterMs?: number }
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'suspect'; readonly reason: string };

export interface PspOrder {
  readonly nonce: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly expiresMs: number;
  /** The provider's token for a card, for providers that are charged directly. */
  readonly cardToken?: string;
}

export interface PspRefundOrder {
  readonly nonce: string;
  readonly paymentNonce: string;
  readonly amountMinor: bigint;
  readonly currency: string;
}

/**
 * The payment service provider. Every call may be repeated with the same nonce without a second effect, and
 * none rejects: what went wrong is an answer.
 *
 * ```ts
 * const answer = await psp.begin({ nonce: order.id, amountMinor: 1050n, currency: 'EUR', expiresMs });
 * if (answer.kind === 'unknown') laterAsk(order.id);
 * ```
 */
export interface Psp {
  readonly style: 'hosted' | 'direct';
  /**
   * Hosted: registers the payment and gives the token of its page. Direct: charges the card behind the token.
   */
  begin(order: PspOrder): Promise<PspAnswer<PspPayment>>;
  /** As `begin`, but the card is only authorized: `capture` takes the money, `cancel` releases it. */
  authorize(order: PspOrder): Promise<PspAnswer<PspPayment>>;
  /**
   * Takes an authorized amount or a part of it, once; the rest is released. Repeated with the same amount it
   * has no second effect; with another one it is refused.
   */
  capture(nonce: string, amountMinor: bigint): Promise<PspAnswer<PspPayment>>;
  query(nonce: string): Promise<PspAnswer<PspPayment>>;
  /**
   * Makes sure that the nonce can never be charged any more, even if the provider does not know it yet. The
   * answer shows if it was too late.
   */
  cancel(nonce: string): Promise<PspAnswer<PspPayment>>;
  refund(refund: PspRefundOrder): Promise<PspAnswer<PspRefund>>;
  queryRefund(nonce: string): Promise<PspAnswer<PspRefund>>;
  close(): void;
}
