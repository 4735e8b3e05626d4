import type { Reservation } from '../reservations/reservation.js';

/** What every list of the desk says of a stay; `names` are those of the first guests. */
export function deskStay(stay: Reservation, names: ReadonlyMap<string, string>) {
  const guestName = names.get(stay.reservationId);
  return {
    reservationID: stay.reservationId,
    ...(guestName === undefined ? {} : { guestName }),
    ...{ status: stay.status, roomTypeID: stay.roomTypeId, roomCount: String(stay.roomCount) },
    ...{ startDate: stay.startDate, endDate: stay.endDate },
  };
}
