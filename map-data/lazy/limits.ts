/** Bounds of loading on demand. */
export const limits = {
  /** Cells that one call fetches at the same time. */
  getsAtOnce: 16,
  /**
   * Share of the memory bound for previously used cells when a new generation starts; the rest is free for
   * loading.
   */
  carriedShare: 0.5,
  /**
   * Minimum size of every column's buffer, so that the C library (whose threshold grows up to 32 MiB) maps it
   * and the kernel provides only written pages.
   */
  columnBytesLeast: 33 * 2 ** 20,
} as const;
