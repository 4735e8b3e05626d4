import { appendFileSync, existsSync, openSync, readFileSync, truncateSync } from 'node:fs';

export type PaymentState =
  | 'registered'
  | 'processing'
  | 'review'
  | 'challenge'
  | 'authorized'
  | 'captured'
  | 'declined'
  | 'expired'
  | 'voided';

/** Amounts are minor units as decimal text, times Unix milliseconds. */
export interface SimulatedPayment {
  readonly nonce: string;
  readonly reference: string;
  readonly token: string;
  readonly status: PaymentState;
  readonly amountMinor: string;
  readonly capturedMinor: string;
  readonly refundedMinor: string;
  readonly currency: string;
  readonly expiresMs: number;
  readonly successUrl: string;
  readonly failureUrl: string;
  readonly code?: string;
  readonly sequence: number;
  /** All that is kept of a card. */
  readonly brand?: string;
  readonly last4?: string;
  readonly capturedMs?: number;
  /** Paid cards are only authorized, until the shop captures. */
  readonly manual?: true;
  readonly authorizedMs?: number;
  /** When the bank gives up waiting for the buyer. */
  readonly challengeUntilMs?: number;
  readonly stripe?: StripeFields;
  /** `offered`: the page asks the buyer. `agreed`: the buyer did so at the shop. */
  readonly keep?: 'offered' | 'agreed';
  /** Of the shop, whose card it is or becomes. */
  readonly customer?: string;
  /** The kept card that paid, or that this payment left behind. */
  readonly cardToken?: string;
  /** The test token whose outcome the card has. */
  readonly cardKind?: string;
  readonly cardExpiry?: string;
}

/** A card that the provider keeps for a shop: what a shop may know of it. */
export interface SimulatedCard {
  readonly token: string;
  readonly customer: string;
  readonly brand: string;
  readonly last4: string;
  /** `2030-12` */
  readonly expiryMonth: string;
  readonly kind: string;
  readonly paymentNonce: string;
  readonly deletedMs?: number;
  /** From a page that takes a card for several payments, which its buyer confirmed there. */
  readonly isOfPage?: true;
}

/** A page that takes one card, with which the shop then charges several payments. */
export interface SimulatedCardPage {
  readonly nonce: string;
  readonly reference: string;
  readonly token: string;
  readonly status: 'open' | 'challenge' | 'taken' | 'expired' | 'closed';
  /** What the buyer is told: how many payments, and how much in all. */
  readonly payments: number;
  readonly totalMinor: string;
  readonly currency: string;
  readonly expiresMs: number;
  readonly successUrl: string;
  readonly failureUrl: string;
  readonly challengeUntilMs?: number;
  readonly brand?: string;
  readonly last4?: string;
  readonly cardKind?: string;
  readonly cardExpiry?: string;
  readonly cardToken?: string;
  readonly customer?: string;
  readonly stripe?: StripeFields;
}

export interface SimulatedCustomer {
  readonly id: string;
  readonly deletedMs?: number;
}

/** Of a payment that was made in Stripe's protocol; its nonce is the id of the intent. */
export interface StripeFields {
  /** The id of the Checkout Session that it was made by. */
  readonly session?: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** The answer that a repeated call with the same key gets. */
export interface KeptReply {
  readonly key: string;
  readonly fingerprint: string;
  readonly status: number;
  readonly body: object;
}

export interface SimulatedRefund {
  readonly nonce: string;
  readonly reference: string;
  readonly paymentNonce: string;
  readonly status: 'processing' | 'refunded' | 'refused';
  readonly amountMinor: string;
  readonly currency: string;
  readonly code?: string;
  readonly refundedMs?: number;
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface SimulatedDispute {
  readonly id: string;
  readonly paymentNonce: string;
  readonly status: 'opened' | 'won' | 'lost';
  readonly amountMinor: string;
  readonly currency: string;
  readonly changedMs: number;
  /** Until when evidence is taken. */
  readonly dueMs?: number;
  readonly reason?: string;
  /** What the shop sent, once. */
  readonly evidence?: {
    readonly nonce: string;
    readonly texts: Readonly<Record<string, string>>;
    /** By ids or, in Stripe's protocol, by fields. */
    readonly documents: Readonly<Record<string, string>>;
  };
}

/** A document of a shop; its content is hashed and not kept. */
export interface SimulatedFile {
  readonly id: string;
  readonly sha256: string;
  readonly size: number;
  readonly contentType: string;
}

export interface SimulatedPayout {
  readonly nonce: string;
  readonly reference: string;
  readonly account: string;
  readonly status: 'processing' | 'paid' | 'refused';
  readonly amountMinor: string;
  readonly currency: string;
  readonly code?: string;
  readonly paidMs?: number;
}

export type Fact =
  | { readonly kind: 'payment'; readonly payment: SimulatedPayment }
  | { readonly kind: 'refund'; readonly refund: SimulatedRefund }
  | { readonly kind: 'dispute'; readonly dispute: SimulatedDispute }
  | { readonly kind: 'file'; readonly file: SimulatedFile }
  | { readonly kind: 'payout'; readonly payout: SimulatedPayout }
  | { readonly kind: 'card'; readonly card: SimulatedCard }
  | { readonly kind: 'cardPage'; readonly cardPage: SimulatedCardPage }
  | { readonly kind: 'customer'; readonly customer: SimulatedCustomer }
  | { readonly kind: 'reply'; readonly reply: KeptReply };

/**
 * One line of the record. `cause` says what made it: `registration`, `page`, `charge`, `void`, `expiry`,
 * `control`, …
 */
export type RecordLine = Fact & { readonly seq: number; readonly atMs: number; readonly cause: string };

/**
 * What really happened to the money. Lines are only appended, and each is written before anyone is notified.
 * The simulator's complete state follows from its record, so killing it loses nothing.
 */
export class TruthRecord {
  readonly #file: string | undefined;
  readonly #lines: RecordLine[] = [];
  #handle: number | undefined;

  /** Without a file the record lives in memory. */
  constructor(file?: string) {
    this.#file = file;
    if (file === undefined) return;
    if (existsSync(file)) {
      const bytes = readFileSync(file);
      // A kill may cut the last line. An incomplete line was not announced to anyone, and nothing may be
      // written behind it.
      const whole = bytes.subarray(0, bytes.lastIndexOf('\n') + 1);
      if (whole.length < bytes.length) truncateSync(file, whole.length);
      for (const line of whole.toString().split('\n').slice(0, -1)) this.#lines.push(JSON.parse(line));
    }
    this.#handle = openSync(file, 'a', 0o600);
  }

  get lines(): readonly RecordLine[] {
    return this.#lines;
  }

  append(fact: Fact, cause: string, atMs: number): void {
    const line: RecordLine = { seq: this.#lines.length + 1, atMs, cause, ...fact };
    if (this.#handle !== undefined && this.#file !== undefined)
      appendFileSync(this.#handle, `${JSON.stringify(line)}\n`);
    this.#lines.push(line);
  }
}
