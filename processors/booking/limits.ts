export const bookingLimits = {
  /**
   * Cards that a guest may try for one price; then the rooms are released, so that stolen numbers cannot be
   * tested here.
   */
  cardsMax: 5,
  /** Payments requested, and confirmed, at the same time by one partition. */
  atOnce: 8,
  /** Registrations at the provider in progress; a further one waits until one of these ends. */
  beginningMax: 64,
  /** Statements of one kind in progress, and payments in one of them. */
  statementsAtOnce: 2,
  statementRowsMax: 256,
  /**
   * What a guest chose is needed until the reservation has a payment, some tenths of a second. It is kept
   * longer for a day without the event log.
   */
  choicesKeptMs: 7 * 86_400_000,
  /** Of one guest; a further one replaces the oldest. */
  choicesKeptMax: 100,
} as const;
