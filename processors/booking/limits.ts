export const bookingLimits = {
  /**
   * Cards that a guest may try for one price; then the rooms are released, so that nobody tries out stolen
   * numbers here.
   */
  cardsMax: 5,
  /** Payments asked for, and confirmed, at the same time by one partition. */
  atOnce: 8,
  /** Registrations at the provider in progress; a further one waits until one of these ends. */
  beginningMax: 64,
  /** Statements of one kind in progress, and payments in one of them. */
  statementsAtOnce: 2,
  statementRowsMax: 256,
} as const;
