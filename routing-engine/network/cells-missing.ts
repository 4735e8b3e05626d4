/**
 * The roads of these cells are not in memory: load them and query again. Thrown by searching and snapping on
 * a lazily loaded network.
 */
export class CellsMissing extends Error {
  override readonly name = 'CellsMissing';
  /** Cells of level 0, each once. */
  readonly cells: readonly number[];

  constructor(cells: readonly number[]) {
    super(`the roads of ${cells.length} cells are not loaded yet`);
    this.cells = cells;
  }
}
