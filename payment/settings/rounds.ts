/** How often the background looks for work, in milliseconds. What arrives meanwhile wakes most of it. */
export const roundDefaults = {
  /** Due orders and refunds, card pages, payouts, and messages for the log. */
  workMs: 200,
  /**
   * Messages written in this time go to the log in one batch: a group then handles several messages of a
   * partition at once.
   */
  outboxRestMs: 30,
  savedCardsMs: 1_000,
  /** Answers to disputes of other processes; those of this process wake the round. */
  disputesMs: 1_000,
  mailsMs: 1_000,
  merchantWebhooksMs: 500,
  /** Overdue payments and payouts, and missed deadlines of disputes. */
  alertsMs: 5_000,
  /** What has been kept for long enough is deleted. */
  cleanupMs: 3_600_000,
  proofMs: 30_000,
  /** How often the chain head of the ledger is published, when it has changed. */
  rootMs: 60_000,
  walletsMs: 1_000,
  merchantEntriesMs: 5_000,
  /** They are due at the beginning of a day. */
  payoutSchedulesMs: 30_000,
  /** Providers are asked for days that we do not have, and again when that failed. */
  settlementsMs: 600_000,
};

export type Rounds = Readonly<typeof roundDefaults>;

/** How the consumer groups wait for each other. */
export const groupDefaults = {
  /** Events that arrive in this time are processed in one batch. */
  gatherMs: 5,
  /** How often the wallet looks again for a posting of the ledger before the event is delivered again. */
  looksMax: 50,
  lookEveryMs: 20,
};

export type GroupSettings = Readonly<typeof groupDefaults>;
