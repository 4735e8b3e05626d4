/** Bounds of a reservation, and of waiting and concurrent work. */
export const hotelLimits = {
  roomCountMax: 10,
  /** Adults of a room; the capacity of its type may be lower. */
  adultsMax: 50,
  nightsMax: 31,
  reservationIdMax: 64,
  /** Unpaid reservations of one user that hold rooms; further ones are refused. */
  holdsPerUserMax: 5,
  holdSeconds: 15 * 60,
  /** Newest bookable day, in days after today. */
  daysAhead: 730,
  pageMax: 100,
  /** Waitlist entries of one user; further ones are refused. */
  waitingPerUserMax: 20,
  /** How long an offer from the waitlist keeps its rooms. */
  offerSeconds: 2 * 60 * 60,
  /** Offers made in one round of the waitlist. */
  offersAtOnce: 50,
  /** Requests in one transaction of a writer. */
  batchMax: 128,
  /** Requests that wait for a writer; further ones are answered `busy`. */
  waitingMax: 4_000,
  /** Writers of one process; a hotel belongs to one of them. */
  writers: 4,
  /**
   * Transactions of a writer in progress at once; times `writers`, and the same again for payments, it stays
   * below the connections of a pool.
   */
  transactionsPerWriter: 2,
  /**
   * The same if each reservation is a transaction of its own: the next ones wait for the row lock, not for
   * this process. A higher value only adds contention.
   */
  unbatchedPerWriter: 3,
  /**
   * Statements that read reservations at the same time; reads that are requested meanwhile share the next
   * one.
   */
  readsAtOnce: 4,
  /** Attempts of a transaction that conflicts with another one; then `busy`. */
  attemptsMax: 12,
  /** Holds ended in one transaction. */
  expireBatch: 200,
  /** Events that the relay takes from the outbox at once. */
  relayBatch: 500,
  relayLeaseMs: 10_000,
  relayPollMs: 50,
} as const;
