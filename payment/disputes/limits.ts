export const disputeLimits = {
  /** Of one document; a dispute has one for each purpose at most, so five. */
  documentBytesMax: 1_000_000,
  /** Of the text in one, unpacked. */
  documentTextBytesMax: 8_000_000,
  /** Lines on its pages, each in the codes of each of its fonts. */
  documentLinesMax: 1_000_000,
  textLengthMax: 5_000,
  pageDefault: 50,
  pageMax: 200,
  /** Answers that one round sends; the next round comes at once when it was full. */
  sentAtOnceMax: 8,
  /** Missed deadlines that one round announces. */
  missedAtOnceMax: 100,
  /** Disputes whose old texts and documents one round erases. */
  erasedAtOnce: 100,
} as const;
