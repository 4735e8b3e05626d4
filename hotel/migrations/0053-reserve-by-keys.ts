import type { Migration } from '#platform/sql/sql.js';

/**
 * Each session plans the statements of these functions once and keeps the plans. In a database that was empty
 * then, reading all of `reservation` is the cheapest way to a reservation, and stays the way until the table
 * is analyzed, however many there are by then. All of them look rows up by their keys, so no other way is
 * wanted at any size.
 */
export const reserveByKeys: Migration = {
  name: '0053-reserve-by-keys',
  sql: ['row_locks', 'version', 'constraint']
    .map((guard) => `ALTER FUNCTION reserve_by_${guard} SET enable_seqscan = off;`)
    .join('\n'),
};
