import type { UserId } from '#schemas/units.js';
import type { Meal } from '../rates/rate-plan.js';
import type { TaxRule } from '../taxes/tax-rule.js';

/** The documented states, docs/hotel-states.md. */
export type ReservationStatus =
  | 'pending_payment'
  | 'paid'
  | 'payment_returned'
  | 'checked_in'
  | 'completed'
  | 'rejected'
  | 'expired'
  | 'cancelled'
  | 'refunded'
  | 'no_show';

export interface SoldRatePlan {
  readonly id: string;
  readonly name: string;
  readonly meal: Meal;
}

export interface OpenSupplement {
  readonly id: string;
  readonly amountMinor: bigint;
  readonly expiresAt: Date;
}

export interface Reservation {
  /** Created by the customer's form, globally unique: the idempotency key. */
  readonly reservationId: string;
  readonly userId: UserId;
  readonly hotelId: string;
  readonly roomTypeId: string;
  /** `YYYY-MM-DD` of the hotel; both inclusive. */
  readonly startDate: string;
  readonly endDate: string;
  readonly roomCount: number;
  readonly status: ReservationStatus;
  /** What one room costs in each night, from `startDate` on; locked when the reservation was made. */
  readonly nightPricesMinor: readonly bigint[];
  /** People in all rooms together; null if nobody said how many. */
  readonly guests: number | null;
  /** The taxes and fees that it was made under. */
  readonly taxRules: readonly TaxRule[];
  /** All nights and rooms, with the taxes and fees on top of them, in minor units. */
  readonly priceMinor: bigint;
  /** ISO 4217. */
  readonly currency: string;
  /** The sum of all payments, as the following amounts are. */
  readonly paidMinor: bigint;
  /**
   * The part of `paidMinor` that is being refunded, or was refunded once the status is `refunded`: the
   * granted amount, at most `refundableMinor`.
   */
  readonly refundDueMinor: bigint;
  /** The refund that policy and staff grant, even if less is left. */
  readonly refundGrantedMinor: bigint;
  /** The most that `refundDueMinor` may be. */
  readonly refundableMinor: bigint;
  /** Refunded or being refunded, for any reason. */
  readonly refundedMinor: bigint;
  /** What the guest's bank took back, for a while or for good. */
  readonly disputedMinor: bigint;
  /** The sum of the versions of the payments that these amounts are from. */
  readonly moneyVersion: number;
  /** The part of `paidMinor` that is for extras, less what of it was granted back. */
  readonly extrasPaidMinor: bigint;
  /** A further amount that the guest is asked for now: of a change that waits to be paid, or of extras. */
  readonly supplement: OpenSupplement | null;
  /** The payment that paid for it first. */
  readonly paymentId: string | null;
  /** While `pending_payment`: the rooms are kept until then. */
  readonly holdExpiresAt: Date;
  readonly freeCancelUntil: Date;
  readonly lateCancelPercent: number;
  /** The hours before check-in of `freeCancelUntil`; null: sold before they were stored. */
  readonly freeCancelHours: number | null;
  /** False: `lateCancelPercent` is kept from the booking on. */
  readonly refundable: boolean;
  /** The rate plan under which it was sold, as it was then; null: the rate and terms of the room type. */
  readonly ratePlan: SoldRatePlan | null;
  /** Adults in each room, if the guest gave them. */
  readonly adults: number | null;
  /** Order of creation over all reservations; lists go from high to low. */
  readonly sequence: bigint;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A payment that a reservation accepted. */
export interface StayPayment {
  readonly paymentId: string;
  /** Null: of the stay as it was booked. */
  readonly supplementId: string | null;
  readonly capturedMinor: bigint;
  readonly refundedMinor: bigint;
  readonly disputedMinor: bigint;
  /** The most that the reservation may take back from it, with what it took back before. */
  readonly refundableMinor: bigint;
  /** The version of the payment that these amounts are from. */
  readonly moneyVersion: number;
}
