import type { Migration } from '#platform/sql/sql.js';

/**
 * Nobody calls it: mutants of it lived. What holds rooms is told by docs/hotel-states.md and judged by the
 * recount.
 */
export const dropHoldsRooms: Migration = {
  name: '0055-drop-holds-rooms',
  sql: 'DROP FUNCTION holds_rooms(reservation_status);',
};
