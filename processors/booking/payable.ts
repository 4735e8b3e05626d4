import { type ReservationChanged, reservationStatusNumber } from '#schemas/messages.js';

/** An amount that a reservation asks to be paid: its price, or a supplement. */
export interface Payable {
  readonly reservationId: string;
  /** '': the stay as it was booked. */
  readonly supplementId: string;
  readonly eventId: number;
  readonly userId: string;
  readonly hotelId: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** The rooms are held until then, and the amount can be paid. */
  readonly expiresMs: number;
}

/**
 * Undefined if nothing is to be paid. When its time is over there is nothing to pay for; another event
 * reports the end.
 */
export function payableOf(event: ReservationChanged, nowMs: number): Payable | undefined {
  const { reservationId, eventId, userId, hotelId, currency } = event;
  const of = (supplementId: string, amountMinor: number, expiresMs: number) =>
    expiresMs > nowMs
      ? { reservationId, supplementId, eventId, userId, hotelId, amountMinor, currency, expiresMs }
      : undefined;
  if (event.status === reservationStatusNumber.pending_payment)
    return of('', event.priceMinor, event.holdExpiresMs);
  return event.supplementMinor > 0
    ? of(event.supplementId, event.supplementMinor, event.supplementExpiresMs)
    : undefined;
}
