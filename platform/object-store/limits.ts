export const objectStoreLimits = {
  keyLengthMax: 512,
  /** Below the 255 bytes of a file name on every file system, so that a key good in S3 is good in a directory. */
  keySegmentLengthMax: 200,
  objectBytesMax: 1024 * 1024 * 1024,
} as const;
