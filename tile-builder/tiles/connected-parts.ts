import type { BuildMemory } from '#map-data/arrays/build-memory.js';
import type { Scratch } from '#map-data/arrays/scratch.js';
import type { NetworkArrays } from '#routing-engine/network/network-arrays.js';
import { mayTurn, type TurnLegality } from './turn-legality.js';

type Roads = Pick<
  NetworkArrays,
  'firstOut' | 'firstIn' | 'inEdges' | 'head' | 'tail' | 'speedKph' | 'reverse' | 'copyOf'
>;

/**
 * Strongly connected parts of the network by mode, edge by edge, numbered by size from 0: within a part every
 * road reaches every other, turn by allowed turn, without passing an ends-only road. An ends-only road
 * belongs to the part that reaches it and that it leads back to, through its area. A road belongs to the
 * largest part of its two directions and of its copies, because a route that starts or ends there may use any
 * of them.
 */
export function connectedParts(
  roads: Roads,
  turns: TurnLegality,
  zone: Uint32Array,
  modes: number,
  { scratch, kept }: BuildMemory,
): Uint32Array {
  const edgeCount = roads.head.length;
  const part = kept.uint32('roads part', modes * edgeCount);
  const search = beginSearch(roads, turns, scratch);
  for (let mode = 0; mode < modes; mode++) {
    const component = strongComponents(search, zone, mode);
    const rank = ranksBySize(component, scratch);
    const own = part.subarray(mode * edgeCount, (mode + 1) * edgeCount);
    rankEdges(own, component, rank);
    const { led, left } = partsBeside(roads, turns, zone, part, mode, scratch);
    joinZones(own, zone.subarray(mode * edgeCount, (mode + 1) * edgeCount), led, left, rank.length);
    joinDirections(own, roads, mode);
  }
  return part;
}

const NONE = 0xffffffff;

function rankEdges(part: Uint32Array, component: Uint32Array, rank: Uint32Array): void {
  for (let edge = 0; edge < part.length; edge++)
    part[edge] = component[edge] === NONE ? rank.length : rank[component[edge]];
}

function joinZones(
  part: Uint32Array,
  zone: Uint32Array,
  led: Uint32Array,
  left: Uint32Array,
  none: number,
): void {
  for (let edge = 0; edge < part.length; edge++)
    if (zone[edge] !== 0) part[edge] = led[edge] === left[edge] && led[edge] !== NONE ? led[edge] : none;
}

function joinDirections(part: Uint32Array, { copyOf, reverse, speedKph }: Roads, mode: number): void {
  const row = mode * part.length;
  for (let edge = 0; edge < part.length; edge++)
    if (part[edge] < part[copyOf[edge]]) part[copyOf[edge]] = part[edge];
  for (let edge = 0; edge < part.length; edge++) {
    const back = reverse[edge];
    if (copyOf[edge] !== edge || back < 0 || speedKph[row + edge] === 0 || speedKph[row + back] === 0)
      continue;
    part[edge] = part[back] = Math.min(part[edge], part[back]);
  }
  for (let edge = 0; edge < part.length; edge++) part[edge] = part[copyOf[edge]];
}

/** By component: its place when they are ordered by size, the largest first. */
function ranksBySize(component: Uint32Array, scratch: Scratch): Uint32Array {
  let count = 0;
  for (let edge = 0; edge < component.length; edge++)
    if (component[edge] !== NONE && component[edge] >= count) count = component[edge] + 1;
  const sizes = scratch.uint32('sizesOfParts', count).fill(0);
  let largest = 0;
  for (let edge = 0; edge < component.length; edge++)
    if (component[edge] !== NONE) largest = Math.max(largest, ++sizes[component[edge]]);
  // By counting: most of many thousand components are of one or two roads.
  const next = scratch.uint32('partsOfSize', largest + 2).fill(0);
  for (let number = 0; number < count; number++) next[sizes[number]]++;
  let placed = 0;
  for (let size = largest; size >= 0; size--) {
    const ofSize = next[size];
    next[size] = placed;
    placed += ofSize;
  }
  const rank = scratch.uint32('rankOfPart', count);
  for (let number = 0; number < count; number++) rank[number] = next[sizes[number]]++;
  return rank;
}

/**
 * By ends-only edge: the largest part from which it is reached, and the largest that is reached from it;
 * `NONE` without one.
 */
function partsBeside(
  { firstOut, head, tail, speedKph }: Roads,
  turns: TurnLegality,
  zone: Uint32Array,
  part: Uint32Array,
  mode: number,
  scratch: Scratch,
): { readonly led: Uint32Array; readonly left: Uint32Array } {
  const row = mode * head.length;
  const led = scratch.uint32('led', head.length).fill(NONE);
  const left = scratch.uint32('left', head.length).fill(NONE);
  /** Pairs of edges of one area, from the first of which one turns onto the second. */
  const within: number[] = [];
  /** Crossings at or within an area: others need not be checked. */
  const beside = scratch.uint8('beside', firstOut.length - 1).fill(0);
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
      if (speedKph[row + next] === 0 || !mayTurn(turns, mode, edge, next)) continue;
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

type Search = ReturnType<typeof beginSearch>;

/** A plain object with plain functions, for the same reason as `road-pieces.ts`. */
function beginSearch(roads: Roads, turns: TurnLegality, scratch: Scratch) {
  const nodeCount = turns.judged.length;
  const vertices = nodeCount + roads.head.length;
  return {
    roads,
    turns,
    nodeCount,
    /** [edges] 1 where through traffic is allowed. */
    open: scratch.uint8('open', roads.head.length),
    /** [edges] */
    ofEdge: scratch.uint32('ofEdge', roads.head.length),
    // By vertex: the crossings, then the edges.
    component: scratch.uint32('component', vertices),
    order: scratch.uint32('order', vertices),
    low: scratch.uint32('low', vertices),
    cursor: scratch.uint32('cursor', vertices),
    stack: scratch.uint32('stack', vertices),
    path: scratch.uint32('path', vertices),
    stacked: 0,
    visited: 0,
    components: 0,
    /** Bit of the present mode in `turns.judged`. */
    judgedBit: 0,
  };
}

/**
 * For each edge that is open to through traffic the number of its strong component; NONE for the others. If
 * nothing is forbidden at a crossing, the incoming edge does not matter: the crossing represents all edges
 * that lead to it, which leaves a graph of a third of the size.
 */
function strongComponents(s: Search, zone: Uint32Array, mode: number): Uint32Array {
  const { head, speedKph } = s.roads;
  const edgeCount = head.length;
  const row = mode * edgeCount;
  markOpen(s.open, speedKph.subarray(row, row + edgeCount), zone.subarray(row, row + edgeCount));
  s.component.fill(NONE);
  s.order.fill(0);
  s.visited = s.components = 0;
  s.judgedBit = 1 << mode;
  for (let root = 0; root < edgeCount; root++) if (s.open[root] === 1) reach(s, root, mode);
  for (let edge = 0; edge < edgeCount; edge++)
    s.ofEdge[edge] = s.open[edge] === 1 ? componentOf(s, edge, mode) : NONE;
  return s.ofEdge;
}

function markOpen(open: Uint8Array, speedKph: Uint8Array, zone: Uint32Array): void {
  for (let edge = 0; edge < open.length; edge++) open[edge] = speedKph[edge] > 0 && zone[edge] === 0 ? 1 : 0;
}

const isJudged = (s: Search, node: number): boolean => (s.turns.judged[node] & s.judgedBit) !== 0;

function reach(s: Search, root: number, mode: number): void {
  const node = s.roads.head[root];
  const start = isJudged(s, node) ? s.nodeCount + root : node;
  if (s.order[start] === 0) explore(s, start, mode);
}

function componentOf(s: Search, edge: number, mode: number): number {
  const { head, tail, firstIn, inEdges } = s.roads;
  const component = s.component;
  if (isJudged(s, head[edge])) return component[s.nodeCount + edge];
  // A road belongs to the part that it leads to, if that part also reaches it.
  const there = component[head[edge]];
  if (!isJudged(s, tail[edge])) return component[tail[edge]] === there ? there : s.components++;
  for (let i = firstIn[tail[edge]]; i < firstIn[tail[edge] + 1]; i++) {
    const before = inEdges[i];
    if (
      s.open[before] === 1 &&
      component[s.nodeCount + before] === there &&
      mayTurn(s.turns, mode, before, edge)
    )
      return there;
  }
  return s.components++;
}

/** Tarjan's algorithm without recursion: gives every vertex that is reached its component. */
function explore(s: Search, start: number, mode: number): void {
  const { firstOut, head } = s.roads;
  const turns = s.turns;
  const [open, nodeCount] = [s.open, s.nodeCount];
  const component = s.component;
  const order = s.order;
  const low = s.low;
  const cursor = s.cursor;
  const path = s.path;
  const stack = s.stack;
  let depth = 0;
  path[depth++] = start;
  while (depth > 0) {
    const vertex = path[depth - 1];
    const from = vertex - nodeCount;
    const node = from < 0 ? vertex : head[from];
    const end = firstOut[node + 1];
    if (order[vertex] === 0) {
      order[vertex] = low[vertex] = ++s.visited;
      stack[s.stacked++] = vertex;
      cursor[vertex] = firstOut[node];
    }
    let descended = false;
    while (cursor[vertex] < end) {
      const edge = cursor[vertex]++;
      if (open[edge] === 0 || (from >= 0 && !mayTurn(turns, mode, from, edge))) continue;
      const next = isJudged(s, head[edge]) ? nodeCount + edge : head[edge];
      if (order[next] === 0) {
        path[depth++] = next;
        descended = true;
        break;
      }
      // A vertex that has its component is not on the stack.
      if (component[next] === NONE && order[next] < low[vertex]) low[vertex] = order[next];
    }
    if (descended) continue;
    depth--;
    if (depth > 0 && low[vertex] < low[path[depth - 1]]) low[path[depth - 1]] = low[vertex];
    if (low[vertex] !== order[vertex]) continue;
    for (;;) {
      const member = stack[--s.stacked];
      component[member] = s.components;
      if (member === vertex) break;
    }
    s.components++;
  }
}
