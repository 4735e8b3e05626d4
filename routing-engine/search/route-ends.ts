import { isAtHours } from '../network/at-hours.js';
import { barredTo } from '../network/barred-roads.js';
import { CellsMissing } from '../network/cells-missing.js';
import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex } from '../network/travel-mode.js';
import { CLOSED, freeFlowUnder, type Metric } from '../overlay/metric.js';
import type { RouteEnd } from './route-end.js';

/** Where a path may begin or end, with what the edge there costs. */
export interface OpenEnd {
  readonly edge: number;
  readonly fraction: number;
  /** Milliseconds for the complete edge; free flow where it is closed at the moment. */
  readonly costMs: number;
  readonly closed: boolean;
}

/**
 * The ends that the mode may use and that are not to be avoided. An edge that is closed at the moment counts
 * at free flow: a driver on it must be able to leave it, and a driver whose destination is on it is led to it
 * and notified. A destination that is shut by its hours does not count: nobody may drive there. Destinations
 * include the copies of an edge. Throws `CellsMissing` where the costs of an edge are not known.
 */
export function openEnds(
  network: RoadNetwork,
  metric: Metric,
  ends: readonly RouteEnd[],
  avoid: number,
  withCopies: boolean,
): OpenEnd[] {
  const open: OpenEnd[] = [];
  const missing = new Set<number>();
  const barred = barredTo(network, metric.vehicle);
  for (const end of ends) {
    const { edge, fraction } = end;
    if (!(Number.isInteger(edge) && edge >= 0 && edge < network.edgeCount && fraction >= 0 && fraction <= 1))
      throw new RangeError(`there is no place at ${end.fraction} of edge ${end.edge}`);
    const cell = network.edgeCell(edge);
    if (metric.covered[cell] === 0) missing.add(cell);
    if (missing.size > 0 || (network.arrays.flags[end.edge] & avoid) !== 0) continue;
    const freeFlow = freeFlowUnder(network, metric, end.edge);
    if (freeFlow === CLOSED) continue;
    for (const edge of withCopies ? network.copiesOf(end.edge) : [end.edge]) {
      const live = metric.costMs[edge];
      const closed = live === CLOSED;
      if (closed && withCopies && isAtHours(network, edge, metric.mode)) continue;
      if (withCopies ? barred?.has(edge) : barred?.hasWhole(edge)) continue;
      open.push({ edge, fraction: end.fraction, costMs: closed ? freeFlow : live, closed });
    }
  }
  if (missing.size > 0) throw new CellsMissing([...missing]);
  return open;
}

export const firstPartMs = (end: OpenEnd): number => Math.round(end.costMs * end.fraction);
export const lastPartMs = (end: OpenEnd): number => Math.round(end.costMs * (1 - end.fraction));
/** Between two places of one edge, in its direction. */
export const betweenMs = (from: OpenEnd, to: OpenEnd): number =>
  Math.round(from.costMs * (to.fraction - from.fraction));

/** Destinations by the zone of ends-only roads that they lie in; 0 is none. */
export function byZone(network: RoadNetwork, metric: Metric, to: readonly OpenEnd[]): Map<number, OpenEnd[]> {
  const offset = modeIndex(metric.mode) * network.edgeCount;
  const groups = new Map<number, OpenEnd[]>();
  for (const end of to) {
    const zone = network.arrays.zone[offset + end.edge];
    const group = groups.get(zone);
    if (group === undefined) groups.set(zone, [end]);
    else group.push(end);
  }
  return groups;
}

/** The roads around both ends are requested at once. */
export function assertCovered(
  network: RoadNetwork,
  covered: Uint8Array,
  from: readonly OpenEnd[],
  to: readonly OpenEnd[],
): void {
  const { head, tail } = network.arrays;
  const cells = new Set<number>();
  for (const { edge } of from) cells.add(network.nodeCell(head[edge]));
  for (const { edge } of to) cells.add(network.nodeCell(tail[edge]));
  const missing = [...cells].filter((cell) => covered[cell] === 0);
  if (missing.length > 0) throw new CellsMissing(missing);
}
