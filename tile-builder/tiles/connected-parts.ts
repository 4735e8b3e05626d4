import type { NetworkArrays } from '#routing-engine/network-arrays.js';
import type { TurnLegality } from './turn-legality.js';

type Roads = Pick<NetworkArrays, 'firstOut' | 'head' | 'tail' | 'speedKph'>;

/**
 * Strongly connected parts of the network by mode, edge by edge, numbered by size from 0: within a part every road
 * reaches every other, turn by allowed turn, without passing an ends-only road. An ends-only road counts to the part that it
 * is reached from and leads back to, through its area.
 */
export function connectedParts(
  roads: Roads,
  turns: TurnLegality,
  zone: Uint32Array,
  modes: number,
): Uint32Array {
  const edgeCount = roads.head.length;
  const part = new Uint32Array(modes * edgeCount);
  for (let mode = 0; mode < modes; mode++) {
    const component = strongComponents(roads, turns, zone, mode);
    const rank = ranksBySize(component);
    const row = mode * edgeCount;
    for (let edge = 0; edge < edgeCount; edge++)
      part[row + edge] = component[edge] === NONE ? rank.length : rank[component[edge]];
    const { led, left } = partsBeside(roads, turns, zone, part, mode);
    for (let edge = 0; edge < edgeCount; edge++)
      if (zone[row + edge] !== 0)
        part[row + edge] = led[edge] === left[edge] && led[edge] !== NONE ? led[edge] : rank.length;
  }
  return part;
}

const NONE = 0xffffffff;

/** By component: its place when they are ordered by size, the largest first. */
function ranksBySize(component: Uint32Array): Uint32Array {
  let count = 0;
  for (let edge = 0; edge < component.length; edge++)
    if (component[edge] !== NONE && component[edge] >= count) count = component[edge] + 1;
  const sizes = new Uint32Array(count);
  for (let edge = 0; edge < component.length; edge++) if (component[edge] !== NONE) sizes[component[edge]]++;
  const order = new Uint32Array(count);
  for (let number = 0; number < count; number++) order[number] = number;
  order.sort((a, b) => sizes[b] - sizes[a] || a - b);
  const rank = new Uint32Array(count);
  for (let place = 0; place < count; place++) rank[order[place]] = place;
  return rank;
}

/** By ends-only edge: the largest part from which it is reached, and the largest that is reached from it; `NONE` without one. */
function partsBeside(
  { firstOut, head, speedKph }: Roads,
  turns: TurnLegality,
  zone: Uint32Array,
  part: Uint32Array,
  mode: number,
): { readonly led: Uint32Array; readonly left: Uint32Array } {
  const row = mode * head.length;
  const led = new Uint32Array(head.length).fill(NONE);
  const left = new Uint32Array(head.length).fill(NONE);
  /** Pairs of edges of one area, from the first of which one turns onto the second. */
  const within: number[] = [];
  for (let edge = 0; edge < head.length; edge++) {
    if (speedKph[row + edge] === 0) continue;
    const own = zone[row + edge];
    for (let next = firstOut[head[edge]]; next < firstOut[head[edge] + 1]; next++) {
      const other = zone[row + next];
      if (own !== other && own !== 0 && other !== 0) continue;
      if (own === 0 && other === 0) continue;
      if (speedKph[row + next] === 0 || !turns.allowed(mode, edge, next)) continue;
      if (own === other) within.push(edge, next);
      else if (own !== 0) left[edge] = Math.min(left[edge], part[row + next]);
      else led[next] = Math.min(led[next], part[row + edge]);
    }
  }
  // Areas are small: a few rounds reach their ends.
  for (let changed = true; changed; ) {
    changed = false;
    for (let i = 0; i < within.length; i += 2) {
      const [edge, next] = [within[i], within[i + 1]];
      if (led[edge] < led[next]) led[next] = led[edge];
      else if (left[next] < left[edge]) left[edge] = left[next];
      else continue;
      changed = true;
    }
  }
  return { led, left };
}

/** Tarjan's algorithm over edges that anybody may pass, without recursion; NONE for the others. */
function strongComponents(roads: Roads, turns: TurnLegality, zone: Uint32Array, mode: number): Uint32Array {
  const { firstOut, head, speedKph } = roads;
  const edgeCount = head.length;
  const row = mode * edgeCount;
  const component = new Uint32Array(edgeCount).fill(NONE);
  const order = new Uint32Array(edgeCount);
  const low = new Uint32Array(edgeCount);
  const waiting = new Uint8Array(edgeCount);
  const cursor = new Uint32Array(edgeCount);
  const stack = new Uint32Array(edgeCount);
  const path = new Uint32Array(edgeCount);
  let stacked = 0;
  let visited = 0;
  let components = 0;
  for (let root = 0; root < edgeCount; root++) {
    if (order[root] !== 0 || speedKph[row + root] === 0 || zone[row + root] !== 0) continue;
    let depth = 0;
    path[depth++] = root;
    while (depth > 0) {
      const edge = path[depth - 1];
      const end = firstOut[head[edge] + 1];
      if (order[edge] === 0) {
        order[edge] = low[edge] = ++visited;
        waiting[edge] = 1;
        stack[stacked++] = edge;
        cursor[edge] = firstOut[head[edge]];
      }
      let descended = false;
      while (cursor[edge] < end) {
        const next = cursor[edge]++;
        if (speedKph[row + next] === 0 || zone[row + next] !== 0) continue;
        if (waiting[next] === 0 && order[next] !== 0) continue;
        if (!turns.allowed(mode, edge, next)) continue;
        if (order[next] === 0) {
          path[depth++] = next;
          descended = true;
          break;
        }
        if (order[next] < low[edge]) low[edge] = order[next];
      }
      if (descended) continue;
      depth--;
      if (depth > 0 && low[edge] < low[path[depth - 1]]) low[path[depth - 1]] = low[edge];
      if (low[edge] !== order[edge]) continue;
      for (;;) {
        const member = stack[--stacked];
        waiting[member] = 0;
        component[member] = components;
        if (member === edge) break;
      }
      components++;
    }
  }
  return component;
}
