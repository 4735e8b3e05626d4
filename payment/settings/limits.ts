/** Bounds of what a payment event may hold. */
export const paymentLimits = {
  amountDigitsMax: 15,
} as const;
