export const pspLimits = {
  answerBytesMax: 64 * 1024,
  /** Rules of `PAYMENT_ROUTES`. */
  routingRulesMax: 32,
} as const;
