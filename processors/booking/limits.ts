export const bookingLimits = {
  /** Payments asked for, and confirmed, at the same time by one partition. */
  atOnce: 8,
  /** Statements of one kind under way, and payments in one of them. */
  statementsAtOnce: 2,
  statementRowsMax: 256,
} as const;
