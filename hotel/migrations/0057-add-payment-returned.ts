import type { Migration } from '#platform/sql/sql.js';

/** PostgreSQL lets a new value be used only once the transaction that added it has ended. */
export const addPaymentReturned: Migration = {
  name: '0057-add-payment-returned',
  sql: `ALTER TYPE reservation_status ADD VALUE 'payment_returned' AFTER 'paid';`,
};
