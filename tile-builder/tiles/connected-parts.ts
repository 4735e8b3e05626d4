import { edgeFlag } from '#routing-engine/edge-flags.js';
import type { NetworkUnderAssembly } from './network-under-assembly.js';
import { sharedUint32 } from './network-under-assembly.js';

/**
 * Strongly connected parts of the road network by mode, edge by edge, numbered by size from 0. Turn restrictions are
 * left out of account: the parts tell where snapping makes sense, the search has the last word.
 */
export function connectedParts(network: NetworkUnderAssembly, modes: number): Uint32Array {
  const { firstOut, tail, head, speedKph } = network;
  const nodeCount = firstOut.length - 1;
  const edgeCount = head.length;
  const part = sharedUint32(modes * edgeCount);
  for (let mode = 0; mode < modes; mode++) {
    const component = strongComponents(nodeCount, firstOut, head, speedKph.subarray(mode * edgeCount));
    const sizes = new Map<number, number>();
    for (let edge = 0; edge < edgeCount; edge++)
      if (speedKph[mode * edgeCount + edge] > 0)
        sizes.set(component[tail[edge]], (sizes.get(component[tail[edge]]) ?? 0) + 1);
    const rank = new Map(
      [...sizes].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([number], index) => [number, index]),
    );
    for (let edge = 0; edge < edgeCount; edge++)
      if (speedKph[mode * edgeCount + edge] > 0)
        part[mode * edgeCount + edge] = rank.get(component[tail[edge]])!;
  }
  return part;
}

/** Tarjan's algorithm without recursion. */
function strongComponents(
  nodeCount: number,
  firstOut: Uint32Array,
  head: Uint32Array,
  kph: Uint8Array,
): Uint32Array {
  const component = new Uint32Array(nodeCount);
  const order = new Uint32Array(nodeCount);
  const low = new Uint32Array(nodeCount);
  const waiting = new Uint8Array(nodeCount);
  const cursor = firstOut.slice(0, nodeCount);
  const stack: number[] = [];
  const path: number[] = [];
  let visited = 0;
  let components = 0;
  for (let root = 0; root < nodeCount; root++) {
    if (order[root] !== 0) continue;
    path.push(root);
    while (path.length > 0) {
      const node = path[path.length - 1];
      if (order[node] === 0) {
        order[node] = low[node] = ++visited;
        waiting[node] = 1;
        stack.push(node);
      }
      let descended = false;
      while (cursor[node] < firstOut[node + 1]) {
        const edge = cursor[node]++;
        if (kph[edge] === 0) continue;
        const next = head[edge];
        if (order[next] === 0) {
          path.push(next);
          descended = true;
          break;
        }
        if (waiting[next] === 1) low[node] = Math.min(low[node], order[next]);
      }
      if (descended) continue;
      path.pop();
      if (path.length > 0) low[path[path.length - 1]] = Math.min(low[path[path.length - 1]], low[node]);
      if (low[node] !== order[node]) continue;
      for (;;) {
        const member = stack.pop()!;
        waiting[member] = 0;
        component[member] = components;
        if (member === node) break;
      }
      components++;
    }
  }
  return component;
}

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
