/**
 * Places at which a test may end the process, the database or the log. They are at the steps where a crash
 * would do most damage.
 */
export const faultPoints = [
  'after-submit',
  'before-psp-call',
  'after-psp-call',
  'after-answer-stored',
  'webhook-before-commit',
  'webhook-after-commit',
  'outbox-after-append',
  'ledger-before-commit',
  'ledger-after-commit',
  'wallet-before-commit',
  'wallet-after-commit',
] as const;
export type FaultPoint = (typeof faultPoints)[number];

/** Passes, or fails as the test wants; in production it is `passing`. */
export type ReachFaultPoint = (point: FaultPoint) => Promise<void>;

export const passing: ReachFaultPoint = () => Promise.resolve();
