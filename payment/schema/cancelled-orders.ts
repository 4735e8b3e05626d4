/** Orders that their caller cancelled before they were paid. */
export const cancelledOrders = `
ALTER TABLE payment_orders ADD COLUMN cancel_requested boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN payment_orders.cancel_requested IS
  'Its time is over because the caller wants it so: what is not paid yet fails with voided';
`;
