/** Probability of each fault; all zero after the faults have stopped. */
export interface FaultRates {
  lostReplies: number;
  lostRequests: number;
  busy: number;
  slow: number;
  lostWebhooks: number;
  copiedWebhooks: number;
  lateWebhooks: number;
  forgedWebhooks: number;
  /** Probability that a process dies soon after a poll that finds work. */
  kills: number;
  /** The same: the database is unavailable for a while. */
  databaseUnavailable: number;
  /** The same: the provider is unavailable for longer than attempts and registrations last. */
  providerUnavailable: number;
  /** The same: a group gets its last records again. */
  redelivered: number;
  /** The same, for each group: it is busy and leaves its records for the next poll. */
  slowGroups: number;
}

export const someFaults: FaultRates = {
  lostReplies: 0.05,
  lostRequests: 0.03,
  busy: 0.03,
  slow: 0.06,
  lostWebhooks: 0.1,
  copiedWebhooks: 0.1,
  lateWebhooks: 0.1,
  forgedWebhooks: 0.1,
  kills: 0.05,
  databaseUnavailable: 0.004,
  providerUnavailable: 0.003,
  redelivered: 0.05,
  slowGroups: 0.2,
};

export const noFaults: FaultRates = {
  lostReplies: 0,
  lostRequests: 0,
  busy: 0,
  slow: 0,
  lostWebhooks: 0,
  copiedWebhooks: 0,
  lateWebhooks: 0,
  forgedWebhooks: 0,
  kills: 0,
  databaseUnavailable: 0,
  providerUnavailable: 0,
  redelivered: 0,
  slowGroups: 0,
};
