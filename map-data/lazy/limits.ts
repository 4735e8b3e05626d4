/** Bounds of loading on demand. */
export const limits = {
  /** Cells that one call fetches at the same time. */
  getsAtOnce: 16,
  /**
   * Share of the memory bound for previously used cells when a new generation starts; the rest is free for
   * loading.
   */
  carriedShare: 0.5,
} as const;
