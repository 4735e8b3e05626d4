import type { PspPayment, PspRefund } from './psp-payment.js';

/** A request that claims to come from a provider. */
export interface WebhookRequest {
  header(name: string): string | undefined;
  readonly body: string;
}

/** The buyer's bank takes money back for a while, and then for good (`lost`) or not (`won`). */
export interface PspDispute {
  readonly id: string;
  /** The payment order's id. */
  readonly nonce: string;
  readonly status: 'opened' | 'won' | 'lost';
  readonly amountMinor: bigint;
  readonly currency: string;
  /** Until when evidence is accepted; absent if the provider does not say. */
  readonly dueMs?: number;
  /** When the provider said so, by its clock; absent if it does not say. */
  readonly saidMs?: number;
  /** The provider's word for why, such as `fraudulent`. */
  readonly reason?: string;
}

/** What a webhook says, in our words. */
export type PspEvent =
  | { readonly kind: 'payment'; readonly payment: PspPayment }
  | { readonly kind: 'refund'; readonly refund: PspRefund }
  | { readonly kind: 'dispute'; readonly dispute: PspDispute }
  /** Something happened on a page that takes a card for several orders; the provider is asked what. */
  | { readonly kind: 'card page'; readonly nonce: string }
  /** `unreadable`: about something that we follow, but in a shape that we do not know. */
  | { readonly kind: 'nothing'; readonly effect: 'of no interest' | 'unreadable'; readonly nonce?: string };

export type WebhookReading =
  /** `id` is unique among all providers, `type` is the provider's word. */
  | { readonly kind: 'read'; readonly id: string; readonly type: string; readonly event: PspEvent }
  | { readonly kind: 'refused'; readonly reason: string }
  /** Signed, but not in a shape that we know. */
  | { readonly kind: 'malformed'; readonly reason: string }
  /** What it is about cannot be looked up at the moment: it must be delivered again. */
  | { readonly kind: 'not now'; readonly reason: string };
