export const noticeLimits = {
  /** Letters that one round sends. */
  mailsAtOnce: 20,
} as const;
