import type { WebhookTables } from '#platform/webhooks/webhook-tables.js';

/** Events of a payment keep their order. */
export const merchantTables: WebhookTables = {
  endpoint: 'merchant_endpoint',
  event: 'merchant_event',
  delivery: 'merchant_delivery',
  attempt: 'merchant_attempt',
  owner: 'merchant_id',
  subject: 'payment_order_id',
  isHere: 'true',
  disabledByOwner: 'by the merchant',
};
