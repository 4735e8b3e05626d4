import type { ReservationStatus } from '../reservations/reservation.js';

/** Counts of a room type after a change, one element for each day that changed. */
export interface InventoryChanged {
  readonly hotelId: string;
  readonly roomTypeId: string;
  /** `YYYY-MM-DD`, ascending. */
  readonly dates: readonly string[];
  readonly totalInventory: readonly number[];
  readonly totalReserved: readonly number[];
  /** Absent in events of earlier versions. */
  readonly soldAtMost?: readonly number[];
}

/** A reservation after a change; amounts are minor units as decimal text. */
export interface ReservationChanged {
  readonly reservationId: string;
  readonly userId: string;
  readonly hotelId: string;
  readonly roomTypeId: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly roomCount: number;
  readonly status: ReservationStatus;
  readonly priceMinor: string;
  readonly currency: string;
  readonly paidMinor: string;
  readonly refundDueMinor: string;
  readonly paymentId: string | null;
  readonly holdExpiresAtMs: number;
  /** These three are absent while the guest was never asked for more than the price. */
  readonly supplementId?: string;
  readonly supplementMinor?: string;
  readonly supplementExpiresAtMs?: number;
}

/**
 * What a transaction of this package changed. `eventId` is the same however often the event is published. For
 * each day of a room type, and for each reservation, a higher id is a later state: a reader that keeps the
 * highest id may drop every event that is not above it.
 */
export type HotelEvent = {
  readonly eventId: bigint;
  /**
   * `hotelId/roomTypeId` or the reservation's id: events of one reservation, and of one day of a room type,
   * keep their order.
   */
  readonly key: string;
  readonly at: Date;
  /** `traceparent` of the work that caused it, if that is traced. */
  readonly trace?: string;
} & (
  | { readonly kind: 'inventory.changed'; readonly body: InventoryChanged }
  | { readonly kind: 'reservation.created' | 'reservation.changed'; readonly body: ReservationChanged }
);
