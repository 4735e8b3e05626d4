export const followLimits = {
  /** Change files of a folder: two years of one a minute. */
  filesMax: 1_048_576,
  /** Change files that were read are done to the map when they hold so many elements. */
  elementsAtOnceMax: 1_000_000,
  /** So often a file that is damaged or missing is looked for again: somebody may be writing it. */
  looksAgainMax: 3,
} as const;
