export const walletLimits = {
  /** Wallets that one call brings forward. */
  advanceMax: 1_000,
  /**
   * Wallets that are made again in one pass over the ledger; a server keeps some 200 bytes for each
   * meanwhile.
   */
  rebuildMax: 10_000_000,
  /** A million transfers take some seconds. */
  rebuildTimeoutMs: 3_600_000,
} as const;
