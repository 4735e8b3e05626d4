/** Bounds of loading on demand. */
export const limits = {
  /** Cells that one call fetches at the same time. */
  getsAtOnce: 16,
  /**
   * Of the bound on memory, what cells used before may take when a new generation begins; the rest is room to
   * load.
   */
  carriedShare: 0.5,
  /**
   * Every column lies on a buffer at least as large as this, so that the C library (whose threshold grows up
   * to 32 MiB) maps it and the kernel provides only the pages that are written.
   */
  columnBytesLeast: 33 * 2 ** 20,
} as const;
