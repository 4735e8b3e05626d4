import type { UsableCard } from '../cards/saved-card.js';
import type { Money } from '../money/money.js';
import type { RiskDecision } from '../risk/risk-check.js';

/** A payment event as its caller requests it, parsed. */
export interface Submission {
  readonly caller: string;
  readonly key: string;
  readonly fingerprint: Uint8Array;
  readonly checkoutId: string;
  readonly buyerAccount: string;
  /** JSON. */
  readonly buyerInfo: string;
  readonly cardInfo: string;
  /** See `retryOrder`. */
  readonly takesRetries?: true;
  /** The orders are authorized only, and captured later. */
  readonly manualCapture?: boolean;
  /** The saved card that pays; it is looked up before the event is stored. */
  readonly savedCardId?: string;
  readonly savedCard?: UsableCard;
  /** The buyer agreed that the provider keeps the card, for the seller of the only order. */
  readonly keepsCard?: boolean;
  /** The orders are paid with the card of one page; set when the event is stored. */
  readonly onePage?: boolean;
  readonly pageId?: string;
  readonly orders: readonly {
    readonly id: string;
    readonly sellerAccount: string;
    readonly amount: string;
    readonly money: Money;
  }[];
}

/** A payment event with its risk result, to be stored. */
export interface Judged {
  readonly submission: Submission;
  readonly decision: RiskDecision;
  readonly riskCheck: string;
  readonly nowMs: number;
  readonly registrationMs: number;
}
