import type { GuestBody } from '#schemas/http/hotel-guests.js';
import { RequestFailed } from '../http/ask.js';
import { askAs } from './calls.js';

/** The guest of a reservation, for staff. Null: none was given, or the data was erased. */
export async function guestAt(reservationPath: string): Promise<GuestBody | null> {
  try {
    return await askAs<GuestBody>('desk', `${reservationPath}/guest`);
  } catch (cause) {
    if (cause instanceof RequestFailed && cause.status === 404) return null;
    throw cause;
  }
}
