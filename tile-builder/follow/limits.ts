export const followLimits = {
  /** Change files of a folder: two years of one a minute. */
  filesMax: 1_048_576,
  /** Change files are applied to the map when they contain this many elements. */
  elementsAtOnceMax: 1_000_000,
  /** So often a file that is damaged or missing is looked for again: somebody may be writing it. */
  looksAgainMax: 3,
} as const;
