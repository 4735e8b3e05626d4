import type { CellId } from '#schemas/units.js';
import { CLOSED } from './closed.js';
import { metersPerDegree, metersPerLngDegree } from './earth.js';
import { customizeAll, customizeCells } from './overlay/customize.js';
import type { RoadNetwork } from './road-network.js';
import { modeIndex, type TravelMode } from './travel-mode.js';

export { CLOSED };

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
  /** Milliseconds per metre of straight line (see `straightM`) that no open edge undercuts: the bound of goal-directed search. */
  readonly leastMsPerM: number;
  /** Weights of the overlay's cells, kept in step with `costMs`; on a SharedArrayBuffer. See `overlay/customize.ts`. */
  readonly weightsMs: Int32Array;
}

/** `cleared` returns the edge to free flow, also after `closed`. Numbers of copies need not be given. */
export type EdgeChange =
  | { readonly edge: number; readonly speedKph: number }
  | { readonly edge: number; readonly closed: true }
  | { readonly edge: number; readonly cleared: true };

/** The metric belongs to another tileset than the network: fetch the one that was made for it. */
export class MetricMismatch extends Error {
  override readonly name = 'MetricMismatch';
}

const freeFlowMetrics = new WeakMap<RoadNetwork, Map<TravelMode, Metric>>();

/** The metric of an empty road: length over free-flow speed. Made once per network, mode and thread. */
export function freeFlowMetric(network: RoadNetwork, mode: TravelMode): Metric {
  let ofNetwork = freeFlowMetrics.get(network);
  if (ofNetwork === undefined) {
    ofNetwork = new Map();
    freeFlowMetrics.set(network, ofNetwork);
  }
  let metric = ofNetwork.get(mode);
  if (metric === undefined) {
    metric = makeFreeFlow(network, mode);
    ofNetwork.set(mode, metric);
  }
  return metric;
}

function makeFreeFlow(network: RoadNetwork, mode: TravelMode): Metric {
  const costMs = new Int32Array(new SharedArrayBuffer(4 * network.edgeCount));
  for (let edge = 0; edge < network.edgeCount; edge++) costMs[edge] = freeFlowMs(network, edge, mode);
  return {
    tilesetId: network.tilesetId,
    version: 0,
    mode,
    costMs,
    leastMsPerM: leastPace(network, costMs, costMs.keys(), Number.POSITIVE_INFINITY),
    weightsMs: customizeAll(network, mode, costMs),
  };
}

/** Free-flow milliseconds of one edge; CLOSED where the mode may not go. */
export function freeFlowMs(network: RoadNetwork, edge: number, mode: TravelMode): number {
  const kph = network.arrays.speedKph[modeIndex(mode) * network.edgeCount + edge];
  return kph === 0 ? CLOSED : msAt(network.arrays.lengthCm[edge], kph);
}

/** At least 1 ms, so that no cycle is free. */
const msAt = (lengthCm: number, kph: number): number =>
  Math.max(1, Math.min(CLOSED - 1, Math.round((lengthCm * 36) / kph)));

/**
 * A new metric with the changes applied in order; the given one is untouched (queries may hold it).
 * An edge that the mode may not use stays CLOSED whatever a change says. Throws a RangeError for an edge that is not
 * there or a speed that is not positive.
 */
export function applyChanges(
  network: RoadNetwork,
  metric: Metric,
  changes: Iterable<EdgeChange>,
  version: number,
): Metric {
  assertSameTileset(network, metric);
  const costMs = copyShared(metric.costMs);
  const touched: number[] = [];
  for (const change of changes) {
    if (!(change.edge >= 0 && change.edge < network.edgeCount))
      throw new RangeError(`the tileset has no edge ${change.edge}`);
    for (const edge of network.copiesOf(change.edge)) {
      costMs[edge] = changedMs(network, metric.mode, edge, change);
      touched.push(edge);
    }
  }
  const cells = new Set<number>();
  for (const edge of touched) if (costMs[edge] !== metric.costMs[edge]) cells.add(network.edgeCell(edge));
  return {
    ...metric,
    version,
    costMs,
    leastMsPerM: leastPace(network, costMs, touched, metric.leastMsPerM),
    weightsMs: customizeCells(network, metric.mode, costMs, metric.weightsMs, cells),
  };
}

function changedMs(network: RoadNetwork, mode: TravelMode, edge: number, change: EdgeChange): number {
  const freeFlow = freeFlowMs(network, edge, mode);
  if (freeFlow === CLOSED || 'cleared' in change) return freeFlow;
  if ('closed' in change) return CLOSED;
  if (!(change.speedKph > 0))
    throw new RangeError(`${change.speedKph} km/h is no speed; close the edge instead`);
  return msAt(network.arrays.lengthCm[edge], change.speedKph);
}

/** Level-0 cells in which the two metrics differ, ascending. */
export function changedCells(network: RoadNetwork, before: Metric, after: Metric): CellId[] {
  assertSameTileset(network, before);
  assertSameTileset(network, after);
  const { cellFirstNode, firstOut } = network.arrays;
  const changed: CellId[] = [];
  for (let cell = 0; cell < network.cellCount; cell++) {
    const end = firstOut[cellFirstNode[cell + 1]];
    for (let edge = firstOut[cellFirstNode[cell]]; edge < end; edge++)
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
      `the metric is of tileset ${metric.tilesetId}, the network of ${network.tilesetId}; fetch the metric again`,
    );
}

export function copyShared(numbers: Int32Array): Int32Array {
  const copy = new Int32Array(new SharedArrayBuffer(numbers.byteLength));
  copy.set(numbers);
  return copy;
}

/** Metres on a flat map around the middle of the network: not exact, but it obeys the triangle inequality everywhere. */
export function straightM(network: RoadNetwork, fromNode: number, toNode: number): number {
  const { nodeLngE7, nodeLatE7 } = network.arrays;
  const { x, y } = flatScale(network);
  return Math.hypot(
    (nodeLngE7[fromNode] - nodeLngE7[toNode]) * x,
    (nodeLatE7[fromNode] - nodeLatE7[toNode]) * y,
  );
}

/** Metres per 1e-7 degree of that map. */
export const flatScale = ({ bounds }: RoadNetwork): { readonly x: number; readonly y: number } => ({
  x: metersPerLngDegree((bounds[1] + bounds[3]) / 2) / 1e7,
  y: metersPerDegree / 1e7,
});

/** The least of `known` and the paces of the given edges, a hair less so that rounding cannot make it too large. */
export function leastPace(
  network: RoadNetwork,
  costMs: Int32Array,
  edges: Iterable<number>,
  known: number,
): number {
  const { tail, head } = network.arrays;
  let least = known;
  for (const edge of edges) {
    if (costMs[edge] === CLOSED) continue;
    const meters = straightM(network, tail[edge], head[edge]);
    if (meters > 0) least = Math.min(least, (costMs[edge] / meters) * (1 - 1e-9));
  }
  return least === Number.POSITIVE_INFINITY ? 0 : least;
}
