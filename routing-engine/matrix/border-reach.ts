import type { RoadNetwork } from '../network/road-network.js';
import { nestedCells } from '../overlay/nested-cells.js';
import { UNREACHED } from '../overlay/road-search.js';
import type { OpenEnd } from '../search/route-ends.js';
import type { Direction, Sweep } from './sweep.js';
import type { PartDetails, SweepDetails } from './sweep-details.js';

/** Between a place and the border of a cell around it. */
export interface BorderReach {
  /** Edges of the overlay that leave the cell (a place that paths begin at), or that enter it. */
  readonly edges: Uint32Array;
  /** Milliseconds by edge; `UNREACHED` where there is no path. */
  readonly ms: Int32Array;
  readonly details: (edge: number) => PartDetails;
}

/** A place, or the part of its ends that lies in one cell of level 0. */
export interface CellReach {
  readonly cell: number;
  readonly ends: readonly OpenEnd[];
  /** By level; empty on a network of one cell. */
  readonly borders: readonly BorderReach[];
}

/** The edges that leave (forward) or enter a cell, numbered through all levels. */
export function borderEdges({ arrays }: RoadNetwork, cell: number, direction: Direction): Uint32Array {
  const { firstExit, exits, firstEntry, entries } = arrays;
  return direction === 'forward'
    ? exits.subarray(firstExit[cell], firstExit[cell + 1])
    : entries.subarray(firstEntry[cell], firstEntry[cell + 1]);
}

/** Copies what later sweeps need from one that has ended; details of all edges if they are wanted. */
export function reachOf(
  network: RoadNetwork,
  sweep: Sweep,
  details: SweepDetails,
  withDetails: boolean,
): CellReach[] {
  const { arrays, cellCount, levelCount } = network;
  const { offsets } = nestedCells(network);
  return sweep.groups.map(({ cell, ends }) => {
    const borders: BorderReach[] = [];
    for (let level = 0; level < levelCount - 1; level++) {
      const around = level === 0 ? cell : arrays.cellAncestor[(level - 1) * cellCount + cell];
      borders.push(border(borderEdges(network, offsets[level] + around, sweep.direction)));
    }
    return { cell, ends, borders };
  });

  function border(edges: Uint32Array): BorderReach {
    const { labels } = sweep;
    const ms = new Int32Array(edges.length);
    for (let at = 0; at < edges.length; at++)
      ms[at] = labels.has(edges[at]) ? labels.ms(edges[at]) : UNREACHED;
    if (!withDetails) return { edges, ms, details: (edge) => details.of(edge) };
    const known = new Map<number, PartDetails>();
    for (let at = 0; at < edges.length; at++)
      if (ms[at] !== UNREACHED) known.set(edges[at], details.of(edges[at]));
    return { edges, ms, details: (edge) => known.get(edge)! };
  }
}
