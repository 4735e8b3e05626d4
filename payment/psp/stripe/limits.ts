export const stripeLimits = {
  /** A page of balance transactions with their sources. */
  answerBytesMax: 4 * 1024 * 1024,
  /** Of a `Stripe-Signature` header. */
  signaturesMax: 16,
  headerLengthMax: 4_096,
  /** Transactions in one answer, the most that Stripe gives, and answers for one period. */
  pageSize: 100,
  pagesMax: 10_000,
} as const;
