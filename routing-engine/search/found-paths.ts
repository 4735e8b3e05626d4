import type { RoadNetwork } from '../network/road-network.js';
import type { Metric } from '../overlay/metric.js';
import type { RoadRules } from '../overlay/road-search.js';
import type { BoundaryLabels } from './boundary-labels.js';
import type { EndCell } from './end-cells.js';
import type { OpenEnd } from './route-ends.js';
import { appendChain, unpackerOf } from './unpack.js';

export interface FoundPath {
  readonly edges: number[];
  readonly from: OpenEnd;
  readonly to: OpenEnd;
  readonly durationMs: number;
  readonly settled: number;
  /** Cells of level 0 that the search visited. */
  readonly cellsTouched: number;
}

export interface FoundPaths {
  readonly best: FoundPath;
  /**
   * Cheapest routes through other edges where the two sides met, cheapest first, each once; none beyond
   * `stretch` times the best, none that shares more than `overlapMax` of its time with the best. A route may
   * turn back on itself. To be read before the next search in this thread.
   */
  readonly others: (overlapMax: number) => Iterable<FoundPath>;
}

/** A path that does not cross the overlay. */
export type DirectPath = Pick<FoundPath, 'edges' | 'from' | 'to'>;

/** Both sides of a search that has ended. */
export interface SearchedSides {
  readonly network: RoadNetwork;
  readonly metric: Metric;
  readonly rules: RoadRules;
  readonly forward: BoundaryLabels;
  readonly backward: BoundaryLabels;
  readonly starts: readonly EndCell[];
  readonly goals: readonly EndCell[];
  readonly settled: number;
  readonly cellsTouched: number;
}

/** The cheapest path through an edge of the overlay that both sides labelled. */
export function pathThrough(
  { network, metric, rules, forward, backward, starts, goals, settled, cellsTouched }: SearchedSides,
  edge: number,
): FoundPath {
  const { boundaryEdge } = network.arrays;
  const unpacker = unpackerOf(network);
  const across = (arcFrom: number, arcTo: number, level: number, ms: number, out: number[]): void => {
    if (level < 0) unpacker.unpackOpened(rules, arcFrom, arcTo, out);
    else unpacker.unpack(metric, arcFrom, arcTo, level, ms, out);
  };
  const before = forward.chain(edge).reverse();
  const first = before.length === 0 ? edge : before[0].from;
  const startCell = starts[-1 - forward.parent(first)];
  const { edges, from } = fromStart(startCell, boundaryEdge[first] - startCell.roads.firstEdge);
  for (const arc of before) across(arc.from, arc.to, arc.level, arc.ms, edges);
  const after = backward.chain(edge);
  for (const arc of after) across(arc.to, arc.from, arc.level, arc.ms, edges);
  unpacker.finish();
  const last = after.length === 0 ? edge : after[after.length - 1].from;
  const goalCell = goals[-1 - backward.parent(last)];
  const { roads } = goalCell;
  let at = roads.fromEntry(boundaryEdge[last]).next;
  for (; at >= 0; at = roads.parent[at]) edges.push(roads.firstEdge + at);
  const to = goalCell.ends[-1 - at];
  edges.push(to.edge);
  const durationMs = forward.ms(edge) + backward.ms(edge);
  return { edges, from, to, durationMs, settled, cellsTouched };
}

/**
 * From a start to an edge of its cell: `reached` is its place in the cell, or −1 − i for the start number i
 * itself.
 */
export function fromStart(
  { roads, ends }: EndCell,
  reached: number,
): { readonly edges: number[]; readonly from: OpenEnd } {
  const edges: number[] = [];
  const from = ends[appendChain(roads, reached, edges)];
  return { edges: [from.edge, ...edges], from };
}

/** Paths through `meetings` other than the best, see `FoundPaths.others`. */
export function* otherPaths(
  sides: SearchedSides,
  best: FoundPath,
  meetings: readonly number[],
  stretch: number,
  overlapMax: number,
): Iterable<FoundPath> {
  const { network, forward, backward } = sides;
  const { boundaryEdge } = network.arrays;
  const onBest = new Set(best.edges);
  const isOnBest = (edge: number): boolean => onBest.has(boundaryEdge[edge]);
  const total = (edge: number): number => forward.ms(edge) + backward.ms(edge);
  const through = [...new Set(meetings)].sort((a, b) => total(a) - total(b) || a - b);
  let last = best.durationMs;
  for (const edge of through) {
    // Edges of one path have one total.
    if (total(edge) === last || total(edge) > stretch * best.durationMs) continue;
    last = total(edge);
    // Both paths start on the same shortest-path tree, and end on one: the shared part is the label where
    // they separate.
    const shared = forward.labelAtFirst(edge, isOnBest) + backward.labelAtFirst(edge, isOnBest);
    if (shared > overlapMax * last) continue;
    yield pathThrough(sides, edge);
  }
}
