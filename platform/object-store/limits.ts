export const objectStoreLimits = {
  keyLengthMax: 512,
  /**
   * Below the 255 bytes of a file name on every file system, so that a valid key in S3 is valid in a
   * directory.
   */
  keySegmentLengthMax: 200,
  objectBytesMax: 1024 * 1024 * 1024,
  /** Keys in one answer to a listing; S3 allows no more. */
  listPageKeysMax: 1_000,
  requestAttemptsMax: 4,
  /** The wait before attempt n + 1 is random below `retryDelayMs · 2^n`. */
  retryDelayMs: 100,
  requestTimeoutMs: 30_000,
  /** Readiness is checked often and must not hang. */
  checkTimeoutMs: 2_000,
} as const;
