import type { CellId } from '#schemas/units.js';
import { isAtHours } from '../network/at-hours.js';
import { CellsMissing } from '../network/cells-missing.js';
import { CLOSED } from '../network/closed.js';
import { edgeFlag } from '../network/edge-flags.js';
import { perNetwork } from '../network/per-network.js';
import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex, type TravelMode, travelModes } from '../network/travel-mode.js';
import type { Vehicle } from '../network/vehicle.js';
import { customizeCells } from './customize.js';

export { CLOSED };

/**
 * Routing weights of one mode: milliseconds to drive each directed edge. Immutable once made; a new version
 * is a new object on a new SharedArrayBuffer. Structured-cloneable: passing it to a worker shares the memory.
 */
export interface Metric {
  readonly tilesetId: string;
  /** 0 is free flow; the code that applies changes counts later versions. */
  readonly version: number;
  readonly mode: TravelMode;
  /** [edges] on a SharedArrayBuffer. */
  readonly costMs: Int32Array;
  /**
   * [cells of level 0] 1 where the costs of the cell's edges are in `costMs`; on a SharedArrayBuffer.
   * Searches throw `CellsMissing` elsewhere. A cell may be covered later (`coverCell`), never uncovered.
   */
  readonly covered: Uint8Array;
  /**
   * No open edge costs less than this times its cost at free flow (see `leastCostMs`): the bound of
   * goal-directed search. At most 1; 0 where that is not known.
   */
  readonly leastRatio: number;
  /**
   * Weights of the overlay's cells, kept in step with `costMs`; on a SharedArrayBuffer. See
   * `overlay/customize.ts`.
   */
  readonly weightsMs: Int32Array;
  /**
   * What travels: searches leave out the roads that it is too large or heavy for. `costMs` and `weightsMs`
   * are those of all vehicles of the mode. Absent: one for which every road is large enough.
   */
  readonly vehicle?: Vehicle;
  /** What travels goes no faster, see `limitSpeed`; `costMs` and `weightsMs` are those under this limit. */
  readonly topSpeedKph?: number;
}

/** `cleared` returns the edge to free flow, also after `closed`. Numbers of copies need not be given. */
export type EdgeChange =
  | { readonly edge: number; readonly speedKph: number }
  | { readonly edge: number; readonly closed: true }
  | { readonly edge: number; readonly cleared: true };

/** The metric belongs to another tileset than the network: fetch the metric of this tileset. */
export class MetricMismatch extends Error {
  override readonly name = 'MetricMismatch';
}

const freeFlowMetrics = perNetwork(() => new Map<TravelMode, Metric>());

/**
 * The free-flow metric: length over free-flow speed; what is open at some hours only is closed. Created once
 * per network, mode and thread; each call covers cells that were loaded since.
 */
export function freeFlowMetric(network: RoadNetwork, mode: TravelMode): Metric {
  const ofNetwork = freeFlowMetrics(network);
  let metric = ofNetwork.get(mode);
  if (metric === undefined) {
    metric = makeFreeFlow(network, mode);
    ofNetwork.set(mode, metric);
  }
  const { loaded } = network.arrays;
  if (metric.covered !== loaded)
    for (let cell = 0; cell < network.cellCount; cell++)
      if (loaded[cell] === 1 && metric.covered[cell] === 0) coverCell(network, metric, cell as CellId);
  return metric;
}

function makeFreeFlow(network: RoadNetwork, mode: TravelMode): Metric {
  const { loaded, freeFlowWeightsMs } = network.arrays;
  const weights = freeFlowWeightsMs.length / travelModes.length;
  const costMs = new Int32Array(new SharedArrayBuffer(4 * network.edgeCount));
  const whole = !loaded.includes(0);
  const metric = {
    tilesetId: network.tilesetId,
    version: 0,
    mode,
    costMs,
    covered: whole ? loaded : new Uint8Array(new SharedArrayBuffer(loaded.length)),
  };
  for (let cell = 0; cell < network.cellCount; cell++)
    if (loaded[cell] === 1) coverCell(network, metric, cell as CellId);
  return {
    ...metric,
    leastRatio: whole ? 1 : 0,
    weightsMs: freeFlowWeightsMs.subarray(modeIndex(mode) * weights, (modeIndex(mode) + 1) * weights),
  };
}

/**
 * Fills in the costs of a cell that was loaded after the metric was made: the given ones (by edge of the
 * cell), or those of free flow.
 */
export function coverCell(
  network: RoadNetwork,
  { costMs, covered, mode }: Pick<Metric, 'costMs' | 'covered' | 'mode'>,
  cell: CellId,
  costs?: Int32Array,
): void {
  const [first, end] = network.cellEdges(cell);
  if (costs === undefined)
    for (let edge = first; edge < end; edge++) costMs[edge] = atAnyHourMs(network, edge, mode);
  else costMs.set(costs, first);
  Atomics.store(covered, cell, 1);
}

/** Free-flow milliseconds of one edge; CLOSED where the mode may not go. */
export function freeFlowMs(network: RoadNetwork, edge: number, mode: TravelMode): number {
  const kph = network.arrays.speedKph[modeIndex(mode) * network.edgeCount + edge];
  return kph === 0 ? CLOSED : msAt(network.arrays.lengthCm[edge], kph);
}

/** The same for what travels under the metric, which may be slower than the road allows. */
export function freeFlowUnder(
  network: RoadNetwork,
  { mode, topSpeedKph }: Pick<Metric, 'mode' | 'topSpeedKph'>,
  edge: number,
): number {
  const ms = freeFlowMs(network, edge, mode);
  if (topSpeedKph === undefined || ms === CLOSED || (network.arrays.flags[edge] & edgeFlag.ferry) !== 0)
    return ms;
  return Math.max(ms, msAtSpeed(network, edge, topSpeedKph));
}

/** The same as `freeFlowMs`; CLOSED too where the mode may go at some hours only. */
export const atAnyHourMs = (network: RoadNetwork, edge: number, mode: TravelMode): number =>
  isAtHours(network, edge, mode) ? CLOSED : freeFlowMs(network, edge, mode);

/** The cost of an edge at a speed. */
export const msAtSpeed = (network: RoadNetwork, edge: number, kph: number): number =>
  msAt(network.arrays.lengthCm[edge]!, kph);

/** At least 1 ms, so that no cycle is free. */
const msAt = (lengthCm: number, kph: number): number =>
  Math.max(1, Math.min(CLOSED - 1, Math.round((lengthCm * 36) / kph)));

const noEdges: ReadonlySet<number> = new Set();

/**
 * A new metric with the changes applied in order; the given one is untouched (queries may hold it). An edge
 * that the mode may not use stays CLOSED whatever a change says, and so does one that is open at some hours
 * only and not among those that are `open` now. Throws a RangeError for an edge that does
 * not exist or a speed that is not positive.
 */
export function applyChanges(
  network: RoadNetwork,
  metric: Metric,
  changes: Iterable<EdgeChange>,
  version: number,
  open = noEdges,
): Metric {
  assertSameTileset(network, metric);
  const { costMs, covered } = copyCosts(network, metric);
  const touched: number[] = [];
  for (const change of changes) {
    if (!(change.edge >= 0 && change.edge < network.edgeCount))
      throw new RangeError(`the tileset has no edge ${change.edge}`);
    const cell = network.edgeCell(change.edge);
    if (covered[cell] === 0) throw new CellsMissing([cell]);
    for (const edge of network.copiesOf(change.edge)) {
      const isShut = isAtHours(network, edge, metric.mode) && !open.has(edge);
      costMs[edge] = isShut ? CLOSED : changedMs(network, metric.mode, edge, change);
      touched.push(edge);
    }
  }
  const cells = new Set<number>();
  for (const edge of touched) if (costMs[edge] !== metric.costMs[edge]) cells.add(network.edgeCell(edge));
  return {
    ...metric,
    version,
    costMs,
    covered,
    leastRatio: leastRatio(network, metric, costMs, touched),
    weightsMs: customizeCells(network, metric.mode, { costMs, covered }, metric.weightsMs, cells),
  };
}

function changedMs(network: RoadNetwork, mode: TravelMode, edge: number, change: EdgeChange): number {
  const freeFlow = freeFlowMs(network, edge, mode);
  if (freeFlow === CLOSED || 'cleared' in change) return freeFlow;
  if ('closed' in change) return CLOSED;
  if (!(change.speedKph > 0))
    throw new RangeError(`${change.speedKph} km/h is no speed; close the edge instead`);
  return msAtSpeed(network, edge, change.speedKph);
}

/** Level-0 cells, among those that both metrics cover, in which they differ, ascending. */
export function changedCells(network: RoadNetwork, before: Metric, after: Metric): CellId[] {
  assertSameTileset(network, before);
  assertSameTileset(network, after);
  const changed: CellId[] = [];
  for (let cell = 0; cell < network.cellCount; cell++) {
    if (before.covered[cell] === 0 || after.covered[cell] === 0) continue;
    const [first, end] = network.cellEdges(cell as CellId);
    for (let edge = first; edge < end; edge++)
      if (before.costMs[edge] !== after.costMs[edge]) {
        changed.push(cell as CellId);
        break;
      }
  }
  return changed;
}

export function assertSameTileset(network: RoadNetwork, metric: Pick<Metric, 'tilesetId'>): void {
  if (metric.tilesetId !== network.tilesetId)
    throw new MetricMismatch(
      `the metric is of tileset ${metric.tilesetId}, the network of ${network.tilesetId}; ` +
        'fetch the metric again',
    );
}

/** Costs that may be written; in a partly loaded network, only the loaded cells are copied. */
export function copyCosts(network: RoadNetwork, metric: Metric): Pick<Metric, 'costMs' | 'covered'> {
  const costMs = new Int32Array(new SharedArrayBuffer(metric.costMs.byteLength));
  if (metric.covered === network.arrays.loaded) {
    costMs.set(metric.costMs);
    return { costMs, covered: metric.covered };
  }
  const covered = new Uint8Array(new SharedArrayBuffer(metric.covered.length));
  covered.set(metric.covered);
  for (let cell = 0; cell < covered.length; cell++) {
    if (covered[cell] === 0) continue;
    const [first, end] = network.cellEdges(cell as CellId);
    costMs.set(metric.costMs.subarray(first, end), first);
  }
  return { costMs, covered };
}

/** The same for new costs of some edges of a metric. */
export function leastRatio(
  network: RoadNetwork,
  { mode, leastRatio: known }: Pick<Metric, 'mode' | 'leastRatio'>,
  costMs: Int32Array,
  edges: Iterable<number>,
): number {
  let least = known;
  for (const edge of edges) {
    if (costMs[edge] === CLOSED) continue;
    const freeFlow = freeFlowMs(network, edge, mode);
    least = Math.min(least, freeFlow === CLOSED ? 0 : costMs[edge] / freeFlow);
  }
  return least;
}
