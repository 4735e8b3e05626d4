import type { PspCard, PspCardReference } from './psp-card.js';
import type { PspCardPage, PspCardPageOrder } from './psp-card-page.js';
import type { PspDisputeAnswer } from './psp-dispute.js';
import type { WebhookReading, WebhookRequest } from './psp-event.js';
import type { PspPayment, PspRefund } from './psp-payment.js';
import type { PspSettlementLine, SettlementPeriod } from './psp-settlement.js';

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
  /** Counts from 1. */
  readonly attempt: number;
  /** The provider's own name for the payment, once it is stored with the order. */
  readonly reference?: string;
  /** The provider's token for a card, for providers that are charged directly. */
  readonly cardToken?: string;
  /** A card that the provider keeps: the buyer types nothing. */
  readonly savedCard?: PspCardReference;
  /** The buyer agreed that the provider keeps the card. */
  readonly keepCard?: true;
  /** The buyer is away: a kept card is charged without a challenge, or declined. */
  readonly offSession?: true;
  /** The card is only authorized: `capture` takes the money, `cancel` releases it. */
  readonly manual?: true;
}

/**
 * Stores the provider's name for a payment before money can move. False: the order has changed meanwhile, and
 * the provider must not be asked to charge.
 */
export type KeepReference = (reference: string) => Promise<boolean>;

export interface PspRefundOrder {
  readonly nonce: string;
  readonly paymentNonce: string;
  /** The provider's own name for the payment. */
  readonly paymentReference?: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  /** Counts from 1. */
  readonly attempt: number;
}

/**
 * A payment service provider: calls, webhooks, disputes (which come as webhooks and are answered by calls)
 * and settlement. Codes are translated by `decline-codes.ts`. Every call may be repeated with the same nonce
 * without a second effect, and none rejects: what went wrong is an answer.
 *
 * ```ts
 * const answer = await psp.begin(order, keepReference);
 * if (answer.kind === 'unknown') laterAsk(order.nonce);
 * ```
 */
export interface Psp {
  /** Stored with every order that this provider may have; see `Providers`. */
  readonly name: string;
  readonly style: 'hosted' | 'direct';
  /** Whether the provider can charge exactly this amount. */
  takes(amount: Pick<PspOrder, 'amountMinor' | 'currency'>): boolean;
  /**
   * Hosted: registers the payment and gives the token of its page. Direct: charges the card behind the token.
   * Both charge a card that the provider keeps.
   */
  begin(order: PspOrder, keep: KeepReference): Promise<PspAnswer<PspPayment>>;
  /**
   * Takes the amount of an authorized order or a part of it, once; the rest is released. Repeated with the
   * same amount it has no second effect; with another one it is refused.
   */
  capture(order: PspOrder, amountMinor: bigint): Promise<PspAnswer<PspPayment>>;
  query(order: PspOrder): Promise<PspAnswer<PspPayment>>;
  /**
   * Makes sure that the nonce can never be charged any more, even if the provider does not know it yet. The
   * answer shows if it was too late.
   */
  cancel(order: PspOrder): Promise<PspAnswer<PspPayment>>;
  refund(refund: PspRefundOrder): Promise<PspAnswer<PspRefund>>;
  /**
   * Sends evidence against a dispute, or gives the dispute up. `received` says only that the provider has it:
   * how the dispute ends comes by webhook. Documents that were sent before are not kept twice.
   */
  answerDispute(answer: PspDisputeAnswer): Promise<PspAnswer<'received'>>;
  /**
   * The card that a paid order left with the provider, which the buyer had agreed to; `absent` if there is
   * none.
   */
  keptCard(order: PspOrder): Promise<PspAnswer<PspCard>>;
  /** Makes sure that a kept card can never be charged again. */
  deleteCard(card: PspCardReference): Promise<PspAnswer<'deleted'>>;
  /**
   * Registers a page that takes one card for several orders, and asks the bank while the buyer is there. The
   * card is then a kept one, which `begin` charges once for each order, and `deleteCard` deletes.
   */
  openCardPage(order: PspCardPageOrder): Promise<PspAnswer<PspCardPage>>;
  cardPage(order: PspCardPageOrder): Promise<PspAnswer<PspCardPage>>;
  /** Makes sure that the page takes no card any more; the answer shows a card that was faster. */
  closeCardPage(order: PspCardPageOrder): Promise<PspAnswer<PspCardPage>>;
  /** Verifies a webhook before it is read, and translates it. Rejects only if it must be delivered again. */
  webhook(request: WebhookRequest, nowMs: number, toleranceMs: number): Promise<WebhookReading>;
  /** What the provider settled in a period; absent if it sends files. */
  settlement?(period: SettlementPeriod): Promise<PspAnswer<readonly PspSettlementLine[]>>;
  close(): void;
}
