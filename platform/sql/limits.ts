export const sqlLimits = {
  connectionsMax: 16,
  /** Statements that are planned once for each connection; others are planned each time. */
  statementNamesMax: 500,
  /** Calls that wait for a connection; one more is refused at once. */
  waitingMax: 1_000,
  /** For a connection to become free or to be made. */
  acquireTimeoutMs: 5_000,
  /** The server ends a statement that runs longer. */
  statementTimeoutMs: 30_000,
  /** The longest statement timeout that a transaction may request. */
  statementTimeoutMsMax: 3_600_000,
  /** The client waits this much longer than the server's own timeout before it closes the connection. */
  answerGraceMs: 5_000,
  /** An abandoned transaction keeps locks; the server ends it after this time. */
  idleInTransactionTimeoutMs: 30_000,
  idleConnectionMs: 30_000,
  transactionAttemptsDefault: 3,
  transactionAttemptsMax: 20,
  /** The wait before attempt n + 1 is random below `retryDelayMs · 2^n`. */
  retryDelayMs: 10,
  retryDelayMsMax: 1_000,
  checkTimeoutMs: 2_000,
  migrationLockTimeoutMs: 120_000,
  /** A backup holds writes to the outboxes for an instant. Others wait at most this long for it to begin. */
  holdWritesLockTimeoutMs: 500,
  holdWritesAttempts: 40,
  /** The pause after attempt n is n times as long. */
  holdWritesPauseMs: 10,
  /** The embedded server. */
  startTimeoutMs: 30_000,
  startAttemptsMax: 3,
  stopTimeoutMs: 15_000,
  /** A server that is not stopping this long after we released it is used by another process. */
  sharedServerGraceMs: 500,
  joinGraceMs: 100,
  superviseIntervalMs: 1_000,
} as const;
