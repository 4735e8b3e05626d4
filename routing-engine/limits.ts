/** Bounds of what a query may ask for. */
export const limits = {
  snapMetersMax: 5_000,
  snapPiecesMax: 64,
  /** Routes in one answer, the best one included. */
  routesMax: 6,
  /** Origins, and destinations, of one matrix. */
  matrixPlacesMax: 500,
} as const;
