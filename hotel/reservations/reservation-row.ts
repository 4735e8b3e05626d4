import type { SqlRow } from '#platform/sql/sql.js';
import type { UserId } from '#schemas/units.js';
import type { Meal } from '../rates/rate-plan.js';
import type { TaxRule } from '../taxes/tax-rule.js';
import type { Reservation, ReservationStatus } from './reservation.js';

/** A row of the table `reservation` as an object of the port. */
export function reservationOf(row: SqlRow): Reservation {
  return {
    reservationId: row['reservation_id'] as string,
    userId: row['user_id'] as UserId,
    hotelId: row['hotel_id'] as string,
    roomTypeId: row['room_type_id'] as string,
    startDate: row['start_date'] as string,
    endDate: row['end_date'] as string,
    roomCount: row['room_count'] as number,
    status: row['status'] as ReservationStatus,
    nightPricesMinor: row['night_prices_minor'] as readonly bigint[],
    guests: row['guests'] as number | null,
    taxRules: (row['tax_rules'] ?? []) as readonly TaxRule[],
    priceMinor: row['price_minor'] as bigint,
    currency: row['currency'] as string,
    paidMinor: row['paid_minor'] as bigint,
    refundDueMinor: row['refund_due_minor'] as bigint,
    refundGrantedMinor: row['refund_granted_minor'] as bigint,
    refundableMinor: (row['refundable_minor'] ?? row['paid_minor']) as bigint,
    refundedMinor: row['refunded_minor'] as bigint,
    disputedMinor: row['disputed_minor'] as bigint,
    moneyVersion: Number(row['money_version']),
    extrasPaidMinor: row['extras_paid_minor'] as bigint,
    supplement:
      row['supplement_minor'] === 0n
        ? null
        : {
            id: row['supplement_id'] as string,
            amountMinor: row['supplement_minor'] as bigint,
            expiresAt: row['supplement_expires_at'] as Date,
          },
    paymentId: row['payment_id'] as string | null,
    holdExpiresAt: row['hold_expires_at'] as Date,
    freeCancelUntil: row['free_cancel_until'] as Date,
    lateCancelPercent: row['late_cancel_percent'] as number,
    freeCancelHours: row['free_cancel_hours'] as number | null,
    refundable: (row['refundable'] ?? true) as boolean,
    ratePlan:
      row['rate_plan_id'] === null
        ? null
        : {
            id: row['rate_plan_id'] as string,
            name: row['rate_plan_name'] as string,
            meal: row['meal'] as Meal,
          },
    adults: row['adults'] as number | null,
    sequence: row['sequence'] as bigint,
    createdAt: row['created_at'] as Date,
    updatedAt: row['updated_at'] as Date,
  };
}
