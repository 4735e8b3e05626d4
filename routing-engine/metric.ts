import type { CellId } from '#schemas/units.js';
import type { RoadNetwork } from './road-network.js';
import { modeIndex, type TravelMode } from './travel-mode.js';

/** Cost of an edge that nobody may drive: by law, or closed at the moment. */
export const CLOSED = 0x7fffffff;

/**
 * Routing weights of one mode: milliseconds to drive each directed edge. Immutable once made; a new version is a new
 * object on a new SharedArrayBuffer. Structured-cloneable: passing it to a worker shares the memory.
 */
export interface Metric {
  readonly tilesetId: string;
  /** 0 is free flow; later versions are counted by whoever applies changes. */
  readonly version: number;
  readonly mode: TravelMode;
  /** [edges] on a SharedArrayBuffer. */
  readonly costMs: Int32Array;
  /** Milliseconds per metre of straight line that no edge undercuts: the proven bound of goal-directed search. */
  readonly leastMsPerM: number;
}

/** `cleared` returns the edge to free flow, also after `closed`. Numbers of copies need not be given. */
export type EdgeChange =
  | { readonly edge: number; readonly speedKph: number }
  | { readonly edge: number; readonly closed: true }
  | { readonly edge: number; readonly cleared: true };

export class MetricMismatch extends Error {
  override readonly name = 'MetricMismatch';
}

/** The metric of an empty road: length over free-flow speed. */
export function freeFlowMetric(network: RoadNetwork, mode: TravelMode): Metric {
  throw new Error('in the making');
}

/** Free-flow milliseconds of one edge; CLOSED where the mode may not go. */
export function freeFlowMs(network: RoadNetwork, edge: number, mode: TravelMode): number {
  const kph = network.arrays.speedKph[modeIndex(mode) * network.edgeCount + edge]!;
  return kph === 0 ? CLOSED : msAt(network.arrays.lengthCm[edge]!, kph);
}

/** At least 1 ms, so that no cycle is free. */
export const msAt = (lengthCm: number, kph: number): number =>
  Math.max(1, Math.min(CLOSED - 1, Math.round((lengthCm * 36) / kph)));

/**
 * A new metric with the changes applied in order; the given one is untouched (queries may hold it).
 * An edge that the mode may not use stays CLOSED whatever a change says.
 */
export function applyChanges(
  network: RoadNetwork,
  metric: Metric,
  changes: Iterable<EdgeChange>,
  version: number,
): Metric {
  throw new Error('in the making');
}

/** Level-0 cells in which the two metrics differ, ascending. */
export function changedCells(network: RoadNetwork, before: Metric, after: Metric): CellId[] {
  throw new Error('in the making');
}
