/**
 * The consumer groups of the payment topics. Each receives every event, and a slow group does not delay the
 * others.
 */
export const paymentGroups = [
  'payment-ledger',
  'payment-wallet',
  'payment-executor',
  'payment-analytics',
  'payment-notifications',
  'payment-merchants',
] as const;
export type PaymentGroup = (typeof paymentGroups)[number];
