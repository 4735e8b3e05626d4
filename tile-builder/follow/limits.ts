export const followLimits = {
  /** Change files of a folder: two years of one a minute. */
  filesMax: 1_048_576,
  /** Change files are applied to the map when they contain this many elements. */
  elementsAtOnceMax: 1_000_000,
  /** How often a damaged or missing file is checked again: another process may be writing it. */
  looksAgainMax: 3,
} as const;
