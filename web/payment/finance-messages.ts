/** Every text of the finance pages. */

export const brand = 'Finance';
export const mismatches = 'Mismatches';
export const reviews = 'Reviews';
export const deadLetters = 'Dead letters';
export const disputes = 'Disputes';
export const payouts = 'Payouts';

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
export const noFindings = 'No open findings.';
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
export const noDeadLetters = 'No dead letters.';
export const newest = 'Newest';
export const older = 'Older';
export const attempts = (many: number) => `${many} ${many === 1 ? 'attempt' : 'attempts'}`;
export const retriedBy = (person: string, at: string) => `Retried by ${person}, ${at}`;
export const retry = 'Retry';
export const failedOrder = (amount: string, seller: string, status: string, failure: string | null) => {
  const cause = failure === null ? '' : `, ${words(failure)}`;
  return `${amount} to ${seller}: ${status}${cause}. This order is final. Create a new order to pay.`;
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
