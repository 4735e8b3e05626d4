import type { NetworkArrays } from '#routing-engine/network-arrays.js';
import type { TurnLegality } from './turn-legality.js';

type Roads = Pick<NetworkArrays, 'firstOut' | 'firstIn' | 'inEdges' | 'head' | 'tail' | 'speedKph'>;

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
  { firstOut, head, tail, speedKph }: Roads,
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
  /** Crossings that an area begins at or lies around: others need not be looked at. */
  const beside = new Uint8Array(firstOut.length - 1);
  for (let edge = 0; edge < head.length; edge++)
    if (zone[row + edge] !== 0) {
      beside[tail[edge]] = 1;
      beside[head[edge]] = 1;
    }
  for (let edge = 0; edge < head.length; edge++) {
    if (beside[head[edge]] === 0 || speedKph[row + edge] === 0) continue;
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

/**
 * By edge that anybody may pass the number of its strong component; NONE for the others. Where nothing is forbidden at a crossing it does
 * not matter how one came there: the crossing stands for all edges that lead to it, which leaves a graph of a third of the size.
 */
function strongComponents(roads: Roads, turns: TurnLegality, zone: Uint32Array, mode: number): Uint32Array {
  const { head, tail, speedKph, firstIn, inEdges } = roads;
  const { judged } = turns;
  const edgeCount = head.length;
  const nodeCount = judged.length;
  const row = mode * edgeCount;
  const open = new Uint8Array(edgeCount);
  for (let edge = 0; edge < edgeCount; edge++)
    if (speedKph[row + edge] > 0 && zone[row + edge] === 0) open[edge] = 1;
  const { component: ofVertex, count } = tarjan(roads, turns, open, mode);
  const component = new Uint32Array(edgeCount).fill(NONE);
  let components = count;
  for (let edge = 0; edge < edgeCount; edge++) {
    if (open[edge] === 0) continue;
    if (judged[head[edge]] === 1) {
      component[edge] = ofVertex[nodeCount + edge];
      continue;
    }
    // A road belongs to what it leads to when one comes to it from there.
    const there = ofVertex[head[edge]];
    let comes = ofVertex[tail[edge]] === there && judged[tail[edge]] === 0;
    if (judged[tail[edge]] === 1)
      for (let i = firstIn[tail[edge]]; i < firstIn[tail[edge] + 1] && !comes; i++)
        comes =
          open[inEdges[i]] === 1 &&
          ofVertex[nodeCount + inEdges[i]] === there &&
          turns.allowed(mode, inEdges[i], edge);
    component[edge] = comes ? there : components++;
  }
  return component;
}

/** Tarjan's algorithm without recursion. Vertices are the crossings, then the edges; those that nothing comes by have NONE. */
function tarjan(
  { firstOut, head }: Roads,
  turns: TurnLegality,
  open: Uint8Array,
  mode: number,
): { readonly component: Uint32Array; readonly count: number } {
  const { judged } = turns;
  const nodeCount = judged.length;
  const count = nodeCount + head.length;
  const component = new Uint32Array(count).fill(NONE);
  const order = new Uint32Array(count);
  const low = new Uint32Array(count);
  const cursor = new Uint32Array(count);
  const stack = new Uint32Array(count);
  const path = new Uint32Array(count);
  let stacked = 0;
  let visited = 0;
  let components = 0;
  for (let root = 0; root < head.length; root++) {
    if (open[root] === 0) continue;
    const start = judged[head[root]] === 1 ? nodeCount + root : head[root];
    if (order[start] !== 0) continue;
    let depth = 0;
    path[depth++] = start;
    while (depth > 0) {
      const vertex = path[depth - 1];
      const from = vertex - nodeCount;
      const node = from < 0 ? vertex : head[from];
      const end = firstOut[node + 1];
      if (order[vertex] === 0) {
        order[vertex] = low[vertex] = ++visited;
        stack[stacked++] = vertex;
        cursor[vertex] = firstOut[node];
      }
      let descended = false;
      while (cursor[vertex] < end) {
        const edge = cursor[vertex]++;
        if (open[edge] === 0 || (from >= 0 && !turns.allowed(mode, from, edge))) continue;
        const next = judged[head[edge]] === 1 ? nodeCount + edge : head[edge];
        if (order[next] === 0) {
          path[depth++] = next;
          descended = true;
          break;
        }
        // One that has its component already is not on the stack.
        if (component[next] === NONE && order[next] < low[vertex]) low[vertex] = order[next];
      }
      if (descended) continue;
      depth--;
      if (depth > 0 && low[vertex] < low[path[depth - 1]]) low[path[depth - 1]] = low[vertex];
      if (low[vertex] !== order[vertex]) continue;
      for (;;) {
        const member = stack[--stacked];
        component[member] = components;
        if (member === vertex) break;
      }
      components++;
    }
  }
  return { component, count: components };
}
