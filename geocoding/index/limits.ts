/** Bounds of the geocoder, with the behaviour at each bound. */
export const limits = {
  /** UTF-16 units of a query that are read; a longer one is refused. */
  queryLengthMax: 200,
  /** Words of a query that count; further ones are ignored. */
  wordsMax: 12,
  /** A word is cut here, in the index and in queries alike. */
  wordLengthMax: 40,
  /** Points in the widest circle that is searched for the nearest places. */
  nearestPointsMax: 100_000,
  /** Results of one answer. */
  resultsMax: 50,
  /**
   * Numbers made between the two ends of an interpolation line, or between two houses; a longer gap stays
   * empty.
   */
  interpolatedMax: 200,
  /** Members of a boundary; one with more is left out. */
  boundaryMembersMax: 100_000,
  /** Side of the squares that roads are looked up by, 1e-7 degrees: about 90 m from south to north. */
  roadSquareE7: 8_000,
  /** Bytes of an index file. */
  indexBytesMax: 1024 * 1024 * 1024,
  /** Names of one place that are kept; the first in order of their keys. */
  namesMax: 64,
} as const;
