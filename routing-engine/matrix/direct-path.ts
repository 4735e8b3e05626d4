import type { RoadNetwork } from '../network/road-network.js';
import type { Metric } from '../overlay/metric.js';
import { UNREACHED } from '../overlay/road-search.js';
import { toPath } from '../route/find-route.js';
import { type TrimmableEnds, trimEnds } from '../route/trim-ends.js';
import { betweenMs, firstPartMs, lastPartMs, type OpenEnd } from '../search/route-ends.js';
import { appendChain } from '../search/unpack.js';
import type { Sweep } from './sweep.js';
import type { PartDetails } from './sweep-details.js';

/** A path that crosses no border of a cell. */
export interface DirectPath {
  readonly ms: number;
  readonly details: () => PartDetails;
}

/**
 * The quickest path from a start to a goal within one edge, or within the cell of level 0 in which a sweep
 * from (to) one of them has just begun.
 */
export function directPath(
  network: RoadNetwork,
  metric: Metric,
  sweep: Sweep,
  from: readonly OpenEnd[],
  to: readonly OpenEnd[],
  trims: TrimmableEnds,
): DirectPath | undefined {
  let least = Number.POSITIVE_INFINITY;
  let build: (() => Ends) | undefined;
  const offer: Offer = (ms, made) => {
    if (ms >= least) return;
    least = ms;
    build = made;
  };
  withinEdges(network, from, to, offer);
  if (sweep.direction === 'forward') withinStartCells(network, sweep, to, offer);
  else withinGoalCells(network, sweep, from, offer);
  if (build === undefined) return undefined;
  const ends = build;
  return {
    ms: least,
    details() {
      const found = { ...ends(), durationMs: least, settled: 0, cellsTouched: 0 };
      const trimmed = trimEnds(network, metric, toPath(network, metric, found), trims);
      return { metres: trimmed.lengthM, trimMs: least - trimmed.durationMs };
    },
  };
}

interface Ends {
  readonly edges: number[];
  readonly from: OpenEnd;
  readonly to: OpenEnd;
}
type Offer = (ms: number, made: () => Ends) => void;

function withinEdges(
  { arrays: { copyOf } }: RoadNetwork,
  starts: readonly OpenEnd[],
  goals: readonly OpenEnd[],
  offer: Offer,
): void {
  for (let i = 0; i < starts.length; i++) {
    const from = starts[i];
    const edge = copyOf[from.edge];
    for (let j = 0; j < goals.length; j++) {
      const to = goals[j];
      if (copyOf[to.edge] === edge && to.fraction >= from.fraction)
        offer(betweenMs(from, to), () => ({ edges: [to.edge], from, to }));
    }
  }
}

function withinStartCells(network: RoadNetwork, sweep: Sweep, goals: readonly OpenEnd[], offer: Offer): void {
  const { tail } = network.arrays;
  for (const { cell, roads, ends } of sweep.groups)
    for (const to of goals) {
      if (network.nodeCell(tail[to.edge]) !== cell) continue;
      const { ms, before } = roads.toTailOf(to.edge);
      if (ms === UNREACHED) continue;
      offer(ms + firstPartMs(to), () => {
        const chain: number[] = [];
        const from = ends[appendChain(roads, before, chain)];
        return { edges: [from.edge, ...chain, to.edge], from, to };
      });
    }
}

function withinGoalCells(network: RoadNetwork, sweep: Sweep, starts: readonly OpenEnd[], offer: Offer): void {
  const { head } = network.arrays;
  for (const { cell, roads, ends } of sweep.groups)
    for (const from of starts) {
      if (network.nodeCell(head[from.edge]) !== cell) continue;
      const { ms, next } = roads.fromEntry(from.edge);
      if (ms === UNREACHED) continue;
      offer(lastPartMs(from) + ms, () => {
        const edges = [from.edge];
        let at = next;
        for (; at >= 0; at = roads.parent[at]) edges.push(roads.firstEdge + at);
        const to = ends[-1 - at];
        return { edges: [...edges, to.edge], from, to };
      });
    }
}
