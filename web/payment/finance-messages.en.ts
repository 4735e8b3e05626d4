/** Every text of the finance pages. */
import type { AuditAction } from '#schemas/http/finance-audit.js';
import type { TimelineKind } from '#schemas/http/finance-payments.js';

export const brand = 'Finance';
export const payments = 'Payments';
export const balances = 'Balances';
export const mismatches = 'Mismatches';
export const reviews = 'Reviews';
export const deadLetters = 'Dead letters';
export const disputes = 'Disputes';
export const payouts = 'Payouts';
export const noPayouts = 'No payouts yet. One appears here as soon as it is requested.';

export const signedInAs = 'Signed in as';
export const reason = 'Reason';
export const approve = 'Approve';
export const deny = 'Deny';

/** A machine-readable code as words: `card_declined` becomes `card declined`. */
export const words = (code: string) => code.replaceAll('_', ' ');

// Mismatches between our records and the provider's.
export const percent = (share: number) => `${(share * 100).toFixed(4)}%`;
export const reconciled = (hasSeveralCurrencies: boolean) =>
  `of all money is reconciled${hasSeveralCurrencies ? ', in the currency with the lowest share' : ''}.`;
export const openWork = (operations: number, findings: number) =>
  `Unreconciled operations: ${operations}. Open mismatches: ${findings}.`;
export const noFindings = 'No open mismatches.';
const classes: Readonly<Record<number, string>> = {
  2: 'known cause, needs a decision',
  3: 'unknown cause, needs investigation',
};
export const findingClass = (number: number) => classes[number] ?? `class ${number}`;
export const providerAmount = 'Provider amount';
export const ourAmount = 'Our amount';
export const paymentOrder = 'Payment order';
export const operation = 'Operation';
export const settlementLine = 'Settlement line';
export const foundAt = 'Found';

// Decisions on a mismatch.
export const actions = { adjust: 'posted an entry', dismiss: 'dismissed', reverse: 'reversed' } as const;
export const entry = (amount: string, credit: string, debit: string) =>
  `${amount} from ${credit} to ${debit}`;
export const together = (entry: string) => `Posted together with ${entry}.`;
export const quoted = (text: string) => `“${text}”`;
export const approvedBy = 'approved by';
export const approveAsSecond = 'Approve as second person';
export const reverse = 'Reverse';
/** Recorded as the reason of a reversal. */
export const reversed = 'Reversed on the finance page';
export const debit = 'Debit';
export const credit = 'Credit';
export const amountIn = (currency: string) => `Amount in ${currency}`;
export const postEntry = 'Post entry';
export const dismiss = 'Dismiss';

// Reviews.
const because = (text: string) => (text === '' ? '' : `: ${quoted(text)}`);
export const payoutReview = (amount: string, seller: string, by: string, why: string) =>
  `Payout of ${amount} to ${seller}, requested by ${by}${because(why)}`;
export const scheduleReview = (
  seller: string,
  interval: string,
  minimum: string,
  delayDays: number,
  by: string,
  why: string,
) =>
  `Payouts to ${seller}: ${interval}, from ${minimum} on, after ${delayDays} days, ` +
  `requested by ${by}${because(why)}`;
export const refundReview = (amount: string, order: string, by: string, why: string) =>
  `Refund of ${amount} for payment order ${order}, requested by ${by}${because(why)}`;
export const paymentReview = (
  amount: string,
  buyer: string,
  by: string,
  why: string,
  proposedBy: string | null,
) => {
  const first = proposedBy === null ? '' : `. Approved by ${proposedBy}, needs a second person`;
  return `Payment of ${amount} by ${buyer}, submitted by ${by}: ${words(why)}${first}`;
};
export const noReviews = 'No open reviews.';

// Dead letters.
export const letterKinds = { payment: 'Payment', refund: 'Refund' } as const;
export const noDeadLetters = 'No dead letters.';
export const newest = 'Newest';
export const older = 'Older';
export const attempts = (many: number) => `${many} ${many === 1 ? 'attempt' : 'attempts'}`;
export const retriedBy = (person: string, at: string) => `Retried by ${person}, ${at}`;
export const retry = 'Retry';
export const retriedNow = 'It is retried now.';
export const closedLettersToo = 'Also show what was retried, and failures that need nobody';
export const newOrder = 'New order in its place:';
export const failedOrder = (amount: string, seller: string, status: string, failure: string | null) => {
  const cause = failure === null ? '' : `, ${words(failure)}`;
  return `${amount} to ${seller}: ${status}${cause}. This order is final.`;
};

// Disputes.
export const noDisputes = 'No open disputes.';
export const disputed = (amount: string, seller: string, order: string, why: string | null) =>
  `${amount} of ${seller}, payment order ${order}${why === null ? '' : `: ${words(why)}`}`;
export const deadline = (at: string | null) =>
  at === null ? 'The provider states no deadline.' : `Answer before ${at}.`;
export const deadlineMissed = (at: string | null) =>
  `The deadline was missed${at === null ? '' : `: ${at}`}.`;
const answerStates = { waiting: 'is being sent', sent: 'was sent', refused: 'was refused' } as const;
export const answered = (
  kind: 'evidence' | 'acceptance',
  state: keyof typeof answerStates,
  by: string,
  failure: string | null,
) => {
  const what = kind === 'evidence' ? 'Evidence' : 'Acceptance';
  return `${what} of ${by} ${answerStates[state]}${failure === null ? '' : `: ${words(failure)}`}.`;
};
export const documents = (purposes: readonly string[]) => `Documents: ${purposes.join(', ')}`;
export const explanation = 'Explanation, or the reason for giving up (at most 200 characters)';
export const sendEvidence = 'Send as evidence';
export const giveUp = 'Give up';

// Payouts.
export const sellerAccount = 'Seller account';
export const requestPayout = 'Request payout';
export const refresh = 'Refresh';
export const payoutColumns = ['Seller', 'Amount', 'Status', 'Requested by', 'Reviewed by', 'Created'];

// The list of payments.
export const anyId = 'Payment, refund or reference';
export const buyer = 'Buyer account';
export const status = 'Status';
export const anyStatus = 'Any status';
export const statuses = {
  NOT_STARTED: 'not started',
  EXECUTING: 'in progress',
  SUCCESS: 'paid',
  FAILED: 'failed',
} as const;
export const currency = 'Currency';
export const amountFrom = 'Amount from';
export const amountTo = 'Amount to';
export const day = { from: 'From day', to: 'To day' } as const;
export const search = 'Search';
export const clear = 'Clear';
export const paymentColumns = ['Created', 'Amount', 'Status', 'Seller', 'Buyer', 'Refunded', 'Disputed'];
export const noPaymentsYet = 'No payments yet. They appear here as soon as one is submitted.';
export const noPayments = 'No payment matches.';
export const noPaymentsSoFar = 'None of the newest payments matches. Older ones have not been searched yet.';

// One payment.
export const paymentOf = (amount: string, seller: string) => `${amount} to ${seller}`;
export const allPayments = '← All payments';
export const checkout = 'Checkout';
export const provider = 'Provider';
export const reference = 'Provider reference';
export const created = 'Created';
export const captured = 'Captured';
export const refunded = 'Refunded';
export const disputedAmount = 'Disputed';
export const fee = 'Application fee';
export const timeline = 'Timeline';
export const olderLeftOut = 'Older entries are not shown.';
export const events: Readonly<Record<TimelineKind, string>> = {
  created: 'Submitted',
  status: 'Status',
  webhook_received: 'Message of the provider',
  risk_check: 'Risk check',
  refund_requested: 'Refund requested',
  refund_reviewed: 'Refund reviewed',
  refund_ended: 'Refund',
  dispute_opened: 'Dispute opened',
  dispute_answered: 'Dispute answered',
  dispute_missed: 'Deadline of the dispute missed',
  dispute_closed: 'Dispute closed',
  posted: 'Posted',
  mismatch_found: 'Mismatch found',
  mismatch_decided: 'Mismatch decided',
  mismatch_approved: 'Decision approved',
  given_up: 'Given up after several attempts',
  retried: 'Retried',
};
/** Of statuses and decisions; one without a text here is shown as words. */
export const states: Readonly<Record<string, string>> = {
  applied: 'applied',
  stale: 'nothing new',
  'unknown order': 'of a payment that we do not have',
  'another provider': 'of another provider',
  'of no interest': 'of no interest',
  unreadable: 'unreadable',
  EXECUTING: 'in progress',
  SUCCESS: 'succeeded',
  FAILED: 'failed',
  WON: 'won',
  LOST: 'lost',
  allow: 'allowed',
  review: 'held for review',
  block: 'blocked',
  proposed: 'approved by the first person',
  approved: 'approved',
  denied: 'denied',
  adjust: 'an entry was posted',
  dismiss: 'dismissed',
  reverse: 'reversed',
};
/** Parts of the system that act by themselves. */
export const parts: Readonly<Record<string, string>> = {
  'judged with the checkout': 'the decision on the checkout',
  executor: 'the executor',
  resolver: 'the resolver',
  rules: 'the risk rules',
  risk: 'the risk rules',
  webhook: 'a message of the provider',
};
export const by = (who: string) => `by ${who}`;

// Where the money of a payment went.
export const settlement = 'Settlement and payouts';
export const showSettlement = 'Show settlement and payouts';
export const moreSettlement = 'Not everything is shown.';
export const settledColumns = ['File and line', 'What', 'Amount', 'Provider fee', 'Payout to us'];
export const lineKinds: Readonly<Record<string, string>> = {
  charge: 'charge',
  dispute: 'dispute opened',
};
export const notSettled = 'In no settlement file yet.';
export const sellerPayoutColumns = ['Payout to the seller', 'Amount', 'Status', 'Reference', 'Created'];
export const notPaidOut = 'In no payout to the seller yet.';
/** How a transfer of the ledger moves money. */
export const entryPhases: Readonly<Record<string, string>> = {
  posted: 'Posted',
  pending: 'Reserved',
  post: 'Posted',
  void: 'Released',
};

// The balances.
export const balanceColumns = ['Account', 'Kind', 'Balance', 'Reserved'];
export const accountTypes = {
  asset: 'asset',
  liability: 'liability',
  revenue: 'revenue',
  expense: 'expense',
} as const;
export const accountNames = {
  'cash-psp': 'Owed by the provider',
  'cash-bank': 'Bank account',
  disputed: 'Withheld in disputes',
  'psp-fees-due': 'Provider fees due',
  'psp-fees': 'Provider fees',
  commission: 'Commission',
  'settlement-difference': 'Settlement differences',
  'psp-suspense': 'Suspense',
  'psp-cut-off': 'Between settlement days',
  differences: 'Written off or found',
} as const;
export const sellers = (many: number) => `${many} ${many === 1 ? 'seller' : 'sellers'}`;
export const noBalances = 'Nothing has been posted yet.';
export const evenIn = (currency: string, total: string) =>
  `${currency}: assets and expenses equal liabilities and revenue, ${total}.`;
export const unevenIn = (currency: string, difference: string) =>
  `${currency}: debits and credits differ by ${difference}. This must not happen: check the ledger.`;

// The audit log.
export const audit = 'Audit log';
export const auditWho = 'Only of (subject of a token)';
export const noDeeds = 'Nobody has done anything yet.';
export const auditColumns = ['When', 'Who', 'What', 'Amount', 'Payment or seller', 'Reason'];
export const deeds: Readonly<Record<AuditAction, string>> = {
  finding_decided: 'decided on a mismatch',
  finding_approved: 'approved a decision',
  refund_requested: 'requested a refund',
  refund_reviewed: 'reviewed a refund',
  payout_requested: 'requested a payout',
  payout_reviewed: 'reviewed a payout',
  schedule_requested: 'requested a payout schedule',
  schedule_reviewed: 'reviewed a payout schedule',
  schedule_stopped: 'stopped a payout schedule',
  fee_requested: 'requested an application fee',
  fee_reviewed: 'reviewed an application fee',
  account_assigned: 'gave a seller account to a merchant',
  account_removed: 'took a seller account from a merchant',
  payment_reviewed: 'reviewed a payment',
  dead_letter_retried: 'retried what was given up',
  dispute_answered: 'answered a dispute',
  document_added: 'added a document to a dispute',
  late_file_accepted: 'accepted a late settlement file',
};
