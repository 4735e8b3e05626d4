const longestId = 64;
/** The last `~` ends the hotel; what follows is long enough that no other kind of id has it by chance. */
const named = /^(.+)~[^~]{16,}$/su;
/** Ids of reservations are parts of paths, files and logs. */
const fit = /^[\w.-]+$/;

/** The hotel that an id names, `{hotelID}~{16 characters or more}`; undefined: it names none. */
export const hotelNamedBy = (reservationId: string): string | undefined => named.exec(reservationId)?.[1];

/**
 * A new id of a reservation, which cannot be guessed. It names the hotel, if that fits; then the hotel is
 * found without a look into the directory of servers.
 */
export function newReservationId(hotelId: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const random = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const short = BigInt(`0x1${random}`).toString(36);
  const id = `${hotelId}~${short}`;
  return id.length > longestId || !fit.test(hotelId) ? crypto.randomUUID() : id;
}
