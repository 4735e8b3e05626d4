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
