/**
 * A cursor is the id of the last reservation of the page. It reveals nothing new to its owner and needs no
 * signature: a cursor of another user is not a reservation of the caller.
 */
export const cursorOf = (reservationId: string): string => Buffer.from(reservationId).toString('base64url');

/** Undefined for a foreign cursor. */
export function readCursor(cursor: string): string | undefined {
  if (!/^[\w-]+$/.test(cursor)) return undefined;
  const bytes = Buffer.from(cursor, 'base64url');
  const id = bytes.toString();
  return cursorOf(id) === cursor && !id.includes('\0') ? id : undefined;
}
