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

/** The same for the page that takes one card for a cart: when it is paid, and when nobody pays. */
export const cartFaultPoints = {
  paid: [
    'page-before-open',
    'page-after-open',
    'page-open-before-commit',
    'page-open-after-commit',
    'page-before-look',
    'page-after-look',
    'card-before-commit',
    'card-after-commit',
    'page-settle-before-commit',
    'page-settle-after-commit',
    'card-before-delete',
    'card-after-delete',
    'card-delete-after-commit',
  ],
  unpaid: ['page-before-close', 'page-after-close', 'page-end-before-commit', 'page-end-after-commit'],
} as const;
export type CartFaultPoint = (typeof cartFaultPoints)['paid' | 'unpaid'][number];
export type FaultPoint = (typeof faultPoints)[number] | CartFaultPoint;

/** Passes, or fails as the test wants; in production it is `passing`. */
export type ReachFaultPoint = (point: FaultPoint) => Promise<void>;

export const passing: ReachFaultPoint = () => Promise.resolve();
