/** Bounds of what a reservation may ask for, and of what waits or runs at once. */
export const hotelLimits = {
  roomCountMax: 10,
  nightsMax: 31,
  reservationIdMax: 64,
  /** Unpaid reservations of one user that keep rooms; one more is refused. */
  holdsPerUserMax: 5,
  holdSeconds: 15 * 60,
  /** Newest bookable day, in days after today. */
  daysAhead: 730,
  pageMax: 100,
  /** Places on waitlists of one user; one more is refused. */
  waitingPerUserMax: 20,
  /** How long an offer from the waitlist keeps its rooms. */
  offerSeconds: 2 * 60 * 60,
  /** Offers made in one turn of the waitlist. */
  offersAtOnce: 50,
  /** Requests in one transaction of a writer. */
  batchMax: 128,
  /** Requests that wait for a writer; one more is answered `busy`. */
  waitingMax: 4_000,
  /** Writers of one process; a hotel belongs to one of them. */
  writers: 4,
  /**
   * Transactions of a writer in progress at once; times `writers`, and the same again for payments, it stays
   * below the connections of a pool.
   */
  transactionsPerWriter: 2,
  /**
   * The same where each reservation is a transaction of its own: the next ones wait for the row lock, not for
   * this process. More only contend.
   */
  unbatchedPerWriter: 3,
  /**
   * Statements that read reservations at the same time; reads that are requested meanwhile share the next
   * one.
   */
  readsAtOnce: 4,
  /** Attempts of a transaction that met another one; then `busy`. */
  attemptsMax: 12,
  /** Holds ended in one transaction. */
  expireBatch: 200,
  /** Events that the relay takes from the outbox at once. */
  relayBatch: 500,
  relayLeaseMs: 10_000,
  relayPollMs: 50,
} as const;
