/**
 * A cursor is the id of the last reservation of the page, so it says nothing that its owner does not know,
 * needs no key to be trusted, and one of another user is simply none of the caller's reservations.
 */
export const cursorOf = (reservationId: string): string => Buffer.from(reservationId).toString('base64url');

/** Undefined for what is no cursor of ours. */
export function readCursor(cursor: string): string | undefined {
  if (!/^[\w-]+$/.test(cursor)) return undefined;
  const bytes = Buffer.from(cursor, 'base64url');
  const id = bytes.toString();
  return cursorOf(id) === cursor && !id.includes('\0') ? id : undefined;
}
