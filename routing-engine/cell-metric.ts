import type { CellId } from '#schemas/units.js';
import type { Metric } from './metric.js';
import type { RoadNetwork } from './road-network.js';

/** The weights of one level-0 cell, as read from bytes. */
export interface CellMetric {
  readonly tilesetId: string;
  readonly version: number;
  readonly mode: Metric['mode'];
  readonly cell: CellId;
  readonly costMs: Int32Array;
}

/** The bytes are not a cell's weights: wrong magic, version, checksum or length. The message says which. */
export class InvalidCellMetric extends Error {
  override readonly name = 'InvalidCellMetric';
}

/** The weights of one cell with magic, format version and checksum; layout in `docs/formats/routing-tile.md`. */
export function encodeCellMetric(network: RoadNetwork, metric: Metric, cell: CellId): Uint8Array {
  throw new Error('in the making');
}

/** Throws `InvalidCellMetric`; `MetricMismatch` when it is of another tileset. */
export function decodeCellMetric(network: RoadNetwork, bytes: Uint8Array): CellMetric {
  throw new Error('in the making');
}

/** A new metric (copy on write) in which the given cells have the given weights. */
export function applyCellMetrics(
  network: RoadNetwork,
  metric: Metric,
  cells: Iterable<CellMetric>,
  version: number,
): Metric {
  throw new Error('in the making');
}
