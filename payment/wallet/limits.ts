export const walletLimits = {
  /** Wallets that one call brings forward. */
  advanceMax: 1_000,
  /** Wallets that are rebuilt in one pass over the ledger; the server needs some 200 bytes for each. */
  rebuildMax: 10_000_000,
} as const;
