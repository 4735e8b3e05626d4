import type { UpgradeStep } from '#platform/sql/sql.js';

/** PostgreSQL lets a new value be used only once the transaction that added it has ended. */
export const addPaymentReturned: UpgradeStep = {
  name: '0057-add-payment-returned',
  sql: `ALTER TYPE reservation_status ADD VALUE 'payment_returned' AFTER 'paid';`,
  commit: true,
};
