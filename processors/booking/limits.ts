export const bookingLimits = {
  /** Payments asked for, and confirmed, at the same time by one partition. */
  atOnce: 8,
} as const;
