import type { NetworkArrays } from '#routing-engine/network-arrays.js';
import { endsOnlyBit } from './piece-owner.js';

/**
 * Areas of ends-only roads (private, destination, customers …) by mode: roads that touch belong together. Through
 * traffic may not enter one; who begins or ends in it may. An area has the number of its first node, plus one.
 */
export function endsOnlyZones(
  { tail, head, flags, speedKph }: Pick<NetworkArrays, 'tail' | 'head' | 'flags' | 'speedKph'>,
  nodeCount: number,
  modes: number,
): Uint32Array {
  const edgeCount = head.length;
  const zone = new Uint32Array(modes * edgeCount);
  for (let mode = 0; mode < modes; mode++) {
    const bit = endsOnlyBit(mode);
    const leader = new Uint32Array(nodeCount);
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
 * Pairs of zone and cell, ascending, of the zones that lie in more than one cell: the others are found where the way ends.
 * Areas of different modes share numbers; a cell more is then opened than needed, never one less.
 */
export function zonesAcrossCells(
  zone: Uint32Array,
  cellFirstEdge: Uint32Array,
  modes: number,
): (readonly [zone: number, cell: number])[] {
  const edgeCount = zone.length / modes;
  const cellsOf = new Map<number, Set<number>>();
  for (let cell = 0; cell + 1 < cellFirstEdge.length; cell++)
    for (let mode = 0; mode < modes; mode++)
      for (let edge = cellFirstEdge[cell]; edge < cellFirstEdge[cell + 1]; edge++) {
        const number = zone[mode * edgeCount + edge];
        if (number === 0) continue;
        const cells = cellsOf.get(number);
        if (cells === undefined) cellsOf.set(number, new Set([cell]));
        else cells.add(cell);
      }
  return [...cellsOf]
    .filter(([, cells]) => cells.size > 1)
    .flatMap(([number, cells]) => [...cells].map((cell) => [number, cell] as const))
    .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}
