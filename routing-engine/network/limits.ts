/** Bounds of what a query may ask for. */
export const limits = {
  snapMetersMax: 5_000,
  snapPiecesMax: 100,
  /** Routes in one answer, the best one included. */
  routesMax: 6,
  /** Origins, and destinations, of one matrix. */
  matrixPlacesMax: 500,
  /** Cells of one matrix. */
  matrixCellsMax: 10_000,
  /** Directed roads within one isochrone; below 2^21, so that two fit into an entry of the heap. */
  isochroneEdgesMax: 2_000_000,
  /** Vertices of the grid on which an isochrone is drawn. */
  isochroneVerticesMax: 2 ** 15,
  /** Start, waypoints and destination of one route. */
  stopsMax: 100,
  /** Memory for cached paths through cells for unpacking, in each thread. */
  treeBytesMax: 64 * 2 ** 20,
  /**
   * Names of roads, and instructions, that are cached as text in each thread; beyond this, the whole cache is
   * discarded.
   */
  namesKept: 2 ** 16,
  instructionsKept: 2 ** 14,
  /** Pairs of edges whose instruction is cached, by network and mode in each thread. */
  crossingsKept: 2 ** 17,
} as const;
