import type { BuildMemory } from '#map-data/arrays/build-memory.js';
import { endsOnlyBit } from '#routing-engine/network/edge-flags.js';
import type { NetworkArrays } from '#routing-engine/network/network-arrays.js';

/**
 * Areas of ends-only roads (private, destination, customers …) by mode: roads that touch belong together.
 * Through traffic may not enter an area; travellers who begin or end in it may. An area has the number of its
 * first node, plus one.
 */
export function endsOnlyZones(
  { tail, head, flags, speedKph }: Pick<NetworkArrays, 'tail' | 'head' | 'flags' | 'speedKph'>,
  nodeCount: number,
  modes: number,
  { scratch, kept }: BuildMemory,
): Uint32Array {
  const edgeCount = head.length;
  const zone = kept.uint32('roads zone', modes * edgeCount).fill(0);
  for (let mode = 0; mode < modes; mode++) {
    const bit = endsOnlyBit(mode);
    const leader = scratch.uint32('leader', nodeCount);
    for (let node = 0; node < nodeCount; node++) leader[node] = node;
    const find = (node: number): number => {
      let top = node;
      while (leader[top] !== top) top = leader[top] = leader[leader[top]];
      return top;
    };
    const inZone: number[] = [];
    for (let edge = 0; edge < edgeCount; edge++)
      if ((flags[edge] & bit) !== 0 && speedKph[mode * edgeCount + edge] > 0) inZone.push(edge);
    for (const edge of inZone) {
      const [a, b] = [find(tail[edge]), find(head[edge])];
      leader[Math.max(a, b)] = Math.min(a, b);
    }
    for (const edge of inZone) zone[mode * edgeCount + edge] = 1 + find(tail[edge]);
  }
  return zone;
}

/**
 * Pairs of zone and cell, ascending, of the zones that lie in more than one cell: the others are found at the
 * end of the route. Areas of different modes share numbers, so a query may open too many cells, never too
 * few.
 */
export function zonesAcrossCells(
  zone: Uint32Array,
  cellFirstEdge: Uint32Array,
  nodeCount: number,
  modes: number,
): number[] {
  const edgeCount = zone.length / modes;
  const cells = cellFirstEdge.length - 1;
  /** By zone: its first cell, plus one. */
  const firstCell = new Uint32Array(nodeCount + 1);
  /** Zone and cell in one number. */
  const met = new Set<number>();
  for (let mode = 0; mode < modes; mode++) {
    let cell = 0;
    for (let edge = 0; edge < edgeCount; edge++) {
      const number = zone[mode * edgeCount + edge];
      if (number === 0) continue;
      while (cellFirstEdge[cell + 1] <= edge) cell++;
      const first = firstCell[number];
      if (first === 0) firstCell[number] = cell + 1;
      else if (first !== cell + 1) met.add(number * cells + first - 1).add(number * cells + cell);
    }
  }
  const pairs = Float64Array.from(met).sort();
  return Array.from(pairs).flatMap((pair) => [Math.floor(pair / cells), pair % cells]);
}
