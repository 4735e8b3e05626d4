import { setTimeout as delay } from 'node:timers/promises';

export const paymentGroupLimits = {
  /** A capture with its fees has three legs of two postings, and one call of the ledger takes 1,000. */
  batchRecordsMax: 160,
  /**
   * One transaction at a time: the ledger admits one poster, and postings that arrive meanwhile form the next
   * batch. The partitions of one round of the relay arrive within a few milliseconds of each other.
   */
  gathering: { atOnce: 1, batchMax: 160, turn: () => delay(5) },
  /**
   * How often the wallet checks again for concurrent postings of the ledger before the batch is redelivered.
   */
  looksMax: 50,
  lookEveryMs: 20,
  /** Events are delivered again from the last commit on, which is seldom further back than some batches. */
  eventsSeenMax: 10_000,
} as const;
