import type { Money } from '../money/money.js';
import type { AccountId } from './accounts.js';

export const transferKinds = [
  'capture',
  'refund',
  'dispute_opened',
  'dispute_won',
  'dispute_lost',
  'fee',
  'settlement',
  'payout',
  'adjustment',
] as const;
export type TransferKind = (typeof transferKinds)[number];

/**
 * `posted` moves money at once. `pending` reserves it: balances stay, what is available shrinks. `post` moves
 * a reserved amount or less and frees the rest, `void` frees all of it; each pending transfer is resolved
 * once.
 */
export type TransferPhase = 'posted' | 'pending' | 'post' | 'void';

/** One movement between two accounts of one currency; its two postings sum to zero by construction. */
export interface Leg {
  readonly debit: AccountId;
  readonly credit: AccountId;
  /** Above zero. */
  readonly amount: Money;
  /** What this leg is, where it differs from the transfer: the fee of a capture. */
  readonly kind?: TransferKind;
  /** Refused when the debited account has less available, whatever the account itself allows. */
  readonly needsFunds?: boolean;
}

/**
 * One money operation, posted whole or not at all, once for each (`subject`, `operation`).
 *
 * ```ts
 * const legs = [{ debit: 'cash-psp:EUR', credit: 'seller:DE02:EUR', amount }];
 * const transfer = { subject: 'order-1', operation: 'capture', kind: 'capture', legs };
 * ```
 */
export interface Transfer {
  /** What it is about: the payment_order_id, the id of a pay-out, of a finding. 1 to 64 characters. */
  readonly subject: string;
  /** What happened to it: `capture`, `refund:r-1`. Unique within the subject; 1 to 96 characters. */
  readonly operation: string;
  readonly kind: TransferKind;
  /** 1 to 100 legs; more than one if they must be posted together or not at all. */
  readonly legs: readonly Leg[];
  /** Absent: `posted`. */
  readonly phase?: TransferPhase;
  /**
   * For `post` and `void`: the operation of the pending transfer of the same subject; legs are the same
   * accounts in the same order.
   */
  readonly resolves?: string;
  /**
   * The source of the transfer: webhook id, line of a settlement file, decision of a person. At most 160
   * characters.
   */
  readonly cause?: string;
}

export interface Refusal {
  readonly subject: string;
  readonly operation: string;
  /**
   * `conflict`: the ledger has the same subject and operation with other legs. `overdrawn`: the account has
   * insufficient funds. `no_pending`: nothing pending to resolve, resolved already, or the legs differ from
   * it.
   */
  readonly reason: 'conflict' | 'overdrawn' | 'no_pending';
  /** A sentence for people. */
  readonly detail: string;
}

export type PostOutcome =
  /** `replayed`: the ledger had these transfers already, with equal legs; in the order of the input. */
  | { readonly kind: 'posted'; readonly transfers: ReadonlyArray<'posted' | 'replayed'> }
  /** Nothing of the call was posted. */
  | { readonly kind: 'refused'; readonly refusals: readonly Refusal[] };
