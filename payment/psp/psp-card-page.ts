import type { PspCard } from './psp-card.js';

/** A page of the provider that takes one card for several orders. No money moves on it. */
export interface PspCardPageOrder {
  /** Ours, as the id of an order is for a payment. */
  readonly nonce: string;
  /** What the page says: how many payments, and how much they are in all. */
  readonly payments: number;
  readonly totalMinor: bigint;
  readonly currency: string;
  readonly expiresMs: number;
  /** Counts from 1. */
  readonly attempt: number;
  /** The provider's own name for the page, once it is stored. */
  readonly reference?: string;
}

export interface PspCardPage {
  readonly nonce: string;
  readonly reference: string;
  /** Names the page in the redirect. */
  readonly token: string;
  /** `over`: it takes no card any more, and has none. */
  readonly state:
    | { readonly kind: 'open'; readonly pageUrl: string }
    | { readonly kind: 'taken'; readonly card: PspCard }
    | { readonly kind: 'over' };
}
