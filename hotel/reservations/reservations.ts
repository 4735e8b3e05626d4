import type { Sealed } from '#platform/encryption/envelope.js';
import type { UserId } from '#schemas/units.js';
import type { ExpectedStay } from './expected-stay.js';
import type { Reservation, StayPayment } from './reservation.js';

/** A guest as it is stored: readable is only how many people stay. */
export interface SealedGuest extends Sealed {
  readonly guests: number;
}

/**
 * Checked for form by the caller's parser: dates of the calendar, `startDate` ≤ `endDate`, bounds of
 * `hotelLimits`.
 */
export interface ReserveRequest {
  readonly reservationId: string;
  readonly userId: UserId;
  readonly hotelId: string;
  readonly roomTypeId: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly roomCount: number;
  /** Stored in the same transaction. */
  readonly guest?: SealedGuest;
  /** Absent: at the rate and under the terms of the room type. */
  readonly ratePlanId?: string | undefined;
  /** In each room; some prices depend on it. */
  readonly adults?: number | null | undefined;
  /** Of a group block: the rooms come from those that it holds. */
  readonly blockCode?: string | undefined;
}

/** Rules of hotels that stand against a stay although rooms are free. */
export const restrictionKinds = [
  'stop-sell',
  'closed-to-arrival',
  'closed-to-departure',
  'minimum-stay',
  'maximum-stay',
] as const;

export interface Restricted {
  readonly kind: (typeof restrictionKinds)[number];
  /** The nights that are not sold, or the day of arrival or departure. */
  readonly dates: readonly string[];
  /** Of a minimum or maximum stay. */
  readonly nights?: number;
}

export type ReserveOutcome =
  | { readonly kind: 'reserved'; readonly reservation: Reservation }
  /** A repeated request; the reservation that it created, in its current state. */
  | { readonly kind: 'repeated'; readonly reservation: Reservation }
  /** The caller's own id with another request; nothing changed. */
  | { readonly kind: 'differs' }
  /** The id belongs to another user; nothing about their reservation is revealed. */
  | { readonly kind: 'taken' }
  | { readonly kind: 'unknown-hotel' }
  | { readonly kind: 'unknown-room-type' }
  | { readonly kind: 'unknown-rate-plan' }
  /** More adults than the capacity of the room type. */
  | { readonly kind: 'too-many-adults' }
  /** The hotel has no block with this code, or its time is over. */
  | { readonly kind: 'unknown-block' | 'block-released' }
  /** On these dates, the block does not hold enough rooms of the type. */
  | { readonly kind: 'block-full'; readonly dates: readonly string[] }
  | Restricted
  /** Malformed: not a day of the calendar, end before start, or beyond a bound; `problem` is a sentence. */
  | { readonly kind: 'invalid'; readonly problem: string }
  /** Begins before today in the hotel's time zone. */
  | { readonly kind: 'past' }
  /** On these dates, not enough rooms are left. */
  | { readonly kind: 'insufficient'; readonly dates: readonly string[] }
  /** These dates are not on sale yet, or no longer. */
  | { readonly kind: 'not-bookable'; readonly dates: readonly string[] }
  | { readonly kind: 'no-rate'; readonly dates: readonly string[] }
  /** The user has the maximum number of unpaid reservations. */
  | { readonly kind: 'too-many-holds' }
  /** Nothing happened; the same call may succeed in a moment. */
  | { readonly kind: 'busy' };

export type ChangeOutcome<Kinds extends string = never> =
  | { readonly kind: 'changed'; readonly reservation: Reservation }
  /** No change was needed. */
  | { readonly kind: 'unchanged'; readonly reservation: Reservation }
  /** Not found, or of another user. */
  | { readonly kind: 'unknown' }
  /** Its status does not allow it. */
  | { readonly kind: 'refused'; readonly reservation: Reservation }
  | { readonly kind: Kinds; readonly reservation: Reservation };

export type ChangeStayOutcome =
  /** The change holds its rooms and waits for `reservation.supplement` to be paid. */
  | ChangeOutcome<'to-pay'>
  /** It is not as `expected` any more. */
  | { readonly kind: 'changed-before'; readonly reservation: Reservation }
  /** It was paid, and the guest did not agree to this difference. */
  | { readonly kind: 'dearer'; readonly reservation: Reservation; readonly differenceMinor: bigint }
  | StayQuote
  | Restricted
  /** The rooms of the new type do not sleep the people that stay. */
  | { readonly kind: 'too-many-guests'; readonly sleeps: number }
  | Extract<
      ReserveOutcome,
      {
        readonly kind:
          | 'insufficient'
          | 'not-bookable'
          | 'no-rate'
          | 'past'
          | 'invalid'
          | 'unknown-room-type'
          | 'unknown-rate-plan'
          | 'too-many-adults';
      }
    >;

/** What a change would do now. */
export interface StayQuote {
  readonly kind: 'quoted';
  readonly reservation: Reservation;
  readonly priceMinor: bigint;
  /** To be paid before the change is made; 0 for a stay that is not paid yet. */
  readonly differenceMinor: bigint;
  /** Goes back, by the terms. */
  readonly grantedMinor: bigint;
}

/** What a stay is changed to; what is absent stays. */
export interface StayChange {
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
  readonly roomTypeId?: string | undefined;
  readonly roomCount?: number | undefined;
  /** Null: the rate and the terms of the room type. */
  readonly ratePlanId?: string | null | undefined;
  /** What the guest agreed to pay if the stay is paid and becomes more expensive. */
  readonly differenceMinor?: bigint | undefined;
  /** The change is made only to a stay that is still so. */
  readonly expected?: ExpectedStay | undefined;
}

/** On whose behalf a call acts: users see only their own reservations; staff see all. */
export type Actor = { readonly userId: UserId } | { readonly staff: true };

export interface CapturedPayment {
  readonly reservationId: string;
  readonly paymentId: string;
  /** Absent: it pays for the stay as it was booked. */
  readonly supplementId?: string | undefined;
  readonly amountMinor: bigint;
  readonly currency: string;
}

/**
 * Paid already by another payment, not the exact price, or paid too late and the rooms are taken: the money
 * is refunded.
 */
export type RefundReason = 'paid-already' | 'wrong-amount' | 'no-rooms-left' | 'not-payable';

export type ConfirmOutcome =
  /** Paid, now or by the same payment before. */
  | { readonly kind: 'paid' | 'paid-before'; readonly reservation: Reservation }
  /**
   * The hold had expired, but the rooms are still free: they are counted again and the reservation is paid.
   */
  | { readonly kind: 'reseated'; readonly reservation: Reservation }
  | { readonly kind: 'refund'; readonly reason: RefundReason; readonly reservation: Reservation }
  | { readonly kind: 'unknown' };

/** The amounts of a payment that a reservation accepted. */
export interface PaymentMoney {
  readonly reservationId: string;
  readonly paymentId: string;
  /** The higher version is newer. */
  readonly version: number;
  /** Refunded or being refunded, for any reason. */
  readonly refundedMinor: bigint;
  /** What the guest's bank took back, for a while or for good. */
  readonly disputedMinor: bigint;
  /** What the reservation may promise in total: what it requested before, and what is left. */
  readonly refundableMinor: bigint;
}

export interface CancelOptions {
  /** This many of several rooms; all if absent. */
  readonly rooms?: number | undefined;
  /** The number of rooms that the caller expects. */
  readonly of?: number | undefined;
}

/**
 * Reservations and the counts of rooms, which change only together. Every call is one transaction and calls
 * nothing else.
 *
 * ```ts
 * const outcome = await reservations.reserve({ reservationId, userId, hotelId, roomTypeId,
 *   startDate: '2028-02-28', endDate: '2028-02-29', roomCount: 2 });
 * if (outcome.kind === 'reserved') await requestPayment(outcome.reservation.priceMinor);
 * ```
 */
export interface Reservations {
  reserve(request: ReserveRequest): Promise<ReserveOutcome>;
  get(reservationId: string, actor: Actor): Promise<Reservation | undefined>;
  /**
   * Newest first, at most `limit` (and `hotelLimits.pageMax` + 1, to see whether there are more), those older
   * than `before`.
   */
  list(
    userId: UserId,
    options: { readonly before?: Pick<Reservation, 'sequence' | 'createdAt'>; readonly limit: number },
  ): Promise<readonly Reservation[]>;
  /**
   * Releases the rooms, all of them or `rooms` of them. Unpaid ones cost nothing; for a paid one the refund
   * by its policy becomes due. `refused` also when `rooms` is as many as there are or more: cancel the whole
   * reservation instead.
   */
  cancel(reservationId: string, actor: Actor, options?: CancelOptions): Promise<ChangeOutcome>;
  /**
   * Swaps nights, type and number of rooms in one step or not at all. Nights that stay as they are keep
   * their price. A lower price becomes a refund by the terms of the reservation. What a paid stay costs more
   * is paid first (`to-pay`), if the guest agreed to exactly that difference. Any other change, a
   * cancellation and a check-in end a change that waits. A stay that is already as wanted is `unchanged`.
   */
  changeStay(reservationId: string, actor: Actor, change: StayChange): Promise<ChangeStayOutcome>;
  /** `quoted`, or why the change is not possible now. Changes nothing. */
  quoteChange(reservationId: string, actor: Actor, change: StayChange): Promise<ChangeStayOutcome>;
  /** The same payment gets the same answer, for any number of calls and callers. */
  confirmPayment(payment: CapturedPayment): Promise<ConfirmOutcome>;
  /** The accepted payments, newest first. */
  paymentsOf(reservationId: string): Promise<readonly StayPayment[]>;
  /**
   * The payment failed permanently: its rooms are released. Of a supplement, the paid stay stays as it is.
   */
  rejectPayment(reservationId: string, supplementId?: string): Promise<ChangeOutcome>;
  /**
   * The refund due follows what is left of the payments. A reservation whose whole payment was returned is
   * `payment_returned` until some of it is back. A reading that is not newer, or belongs to a payment that
   * was not accepted, changes nothing.
   */
  noteMoney(money: PaymentMoney): Promise<ChangeOutcome>;
  /** Reads the remaining amount from payment, if it is available, before anything is promised. */
  hearMoney(reservationId: string): Promise<void>;
  /** The refund of a cancelled reservation has been paid out. */
  confirmRefund(reservationId: string): Promise<ChangeOutcome>;
  /**
   * Ends expired holds and supplements, at most `limit`; returns their number. Any number of processes may
   * call it at once.
   */
  expireHolds(limit?: number): Promise<number>;
  /** Waits for the transactions in progress. */
  close(): Promise<void>;
}
