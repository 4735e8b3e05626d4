/** Bounds of what a query may ask for. */
export const limits = {
  snapMetersMax: 5_000,
  snapPiecesMax: 64,
  alternativesMax: 5,
} as const;
