export const walletLimits = {
  /** Wallets that one call brings forward. */
  advanceMax: 1_000,
} as const;
