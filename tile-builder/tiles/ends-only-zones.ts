import { edgeFlag } from '#routing-engine/edge-flags.js';
import type { NetworkUnderAssembly } from './network-under-assembly.js';
import { sharedUint32 } from './network-under-assembly.js';

/**
 * Areas of ends-only roads (private, destination, customers …) by mode: roads that touch belong together. Through
 * traffic may not enter one; who begins or ends in it may.
 */
export function endsOnlyZones(network: NetworkUnderAssembly, modes: number): Uint32Array {
  const { firstOut, tail, head, flags, speedKph } = network;
  const edgeCount = head.length;
  const nodeCount = firstOut.length - 1;
  const zone = sharedUint32(modes * edgeCount);
  for (let mode = 0; mode < modes; mode++) {
    const bit = edgeFlag.endsOnlyDriving << mode;
    const leader = Uint32Array.from({ length: nodeCount }, (_, node) => node);
    const find = (node: number): number => {
      let top = node;
      while (leader[top] !== top) top = leader[top] = leader[leader[top]];
      return top;
    };
    const inZone = (edge: number): boolean =>
      (flags[edge] & bit) !== 0 && speedKph[mode * edgeCount + edge] > 0;
    for (let edge = 0; edge < edgeCount; edge++)
      if (inZone(edge))
        leader[Math.max(find(tail[edge]), find(head[edge]))] = Math.min(find(tail[edge]), find(head[edge]));
    for (let edge = 0; edge < edgeCount; edge++)
      if (inZone(edge)) zone[mode * edgeCount + edge] = 1 + find(tail[edge]);
  }
  return zone;
}
