/** Bounds of what a payment event may hold. */
export const paymentLimits = {
  ordersPerEventMax: 100,
  amountDigitsMax: 15,
} as const;
