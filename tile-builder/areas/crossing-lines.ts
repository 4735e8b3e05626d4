import { distanceM } from '#routing-engine/network/earth.js';
import type { AreaShape } from './area-shape.js';
import { BEND, ENTRY, sees } from './sees.js';

/** From each entry, lines lead to so many of the nearest others. */
export const NEAREST_ENTRIES = 16;

interface Sight {
  readonly to: number;
  readonly meters: number;
}

/**
 * Pairs of vertices: together the shortest paths inside an area between its entries, each with the nearest
 * others. `isEntry` is by vertex, `isWalked` whether the outline from a vertex to the next one is a way.
 */
export function crossingLines(
  shape: AreaShape,
  latE7: number,
  isEntry: Uint8Array,
  isWalked: Uint8Array,
): (readonly [number, number])[] {
  const { x, bends, pinched } = shape;
  const stops = Uint8Array.from(x, (_, v) =>
    isEntry[v] === 1 ? ENTRY : bends[v] === 1 && pinched[v] === 0 ? BEND : 0,
  );
  const entries = indicesOf(stops, ENTRY);
  if (entries.length < 2) return [];
  const sights = sightsOf(shape, stops, latE7);
  const count = x.length;
  const used = new Set<number>();
  for (const entry of entries)
    for (const [from, to] of nearestPaths(entry, sights, stops))
      used.add(Math.min(from, to) * count + Math.max(from, to));
  return [...used]
    .sort((a, b) => a - b)
    .map((pair) => [Math.floor(pair / count), pair % count] as const)
    .filter(([a, b]) => !isAlongWay(shape, isWalked, a, b));
}

const indicesOf = (values: Uint8Array, wanted: number): number[] =>
  Array.from(values.keys()).filter((at) => values[at] === wanted);

/** By vertex, what it sees. */
function sightsOf(shape: AreaShape, stops: Uint8Array, latE7: number): Sight[][] {
  const { x, y } = shape;
  const sights: Sight[][] = Array.from(x, () => []);
  const held = Array.from(stops.keys()).filter((v) => stops[v] > 0);
  const lat = (v: number): number => (latE7 + y[v]) / 1e7;
  for (const [i, a] of held.entries())
    for (const b of held.slice(i + 1)) {
      if (!sees(shape, stops, a, b)) continue;
      const meters = distanceM(x[a] / 1e7, lat(a), x[b] / 1e7, lat(b));
      sights[a].push({ to: b, meters });
      sights[b].push({ to: a, meters });
    }
  return sights;
}

/** The lines of the shortest paths from an entry to the nearest others, by Dijkstra's algorithm. */
function nearestPaths(start: number, sights: readonly Sight[][], stops: Uint8Array): [number, number][] {
  const meters = new Map([[start, 0]]);
  const parent = new Map<number, number>();
  const settled = new Set<number>();
  const lines: [number, number][] = [];
  for (let reached = 0; reached <= NEAREST_ENTRIES; ) {
    let at = -1;
    for (const [v, far] of meters)
      if (!settled.has(v) && (at < 0 || far < meters.get(at)! || (far === meters.get(at) && v < at))) at = v;
    if (at < 0) break;
    settled.add(at);
    if (stops[at] === ENTRY) {
      reached++;
      for (let v = at; v !== start; v = parent.get(v)!) lines.push([parent.get(v)!, v]);
    }
    for (const sight of sights[at]) {
      const far = meters.get(at)! + sight.meters;
      if (far >= (meters.get(sight.to) ?? Number.POSITIVE_INFINITY)) continue;
      meters.set(sight.to, far);
      parent.set(sight.to, at);
    }
  }
  return lines;
}

/** Whether the line is already on the map, as a way along the outline. */
function isAlongWay(shape: AreaShape, isWalked: Uint8Array, a: number, b: number): boolean {
  return isStraightAlong(shape, isWalked, a, b) || isStraightAlong(shape, isWalked, b, a);
}

function isStraightAlong(
  { x, y, after }: AreaShape,
  isWalked: Uint8Array,
  from: number,
  to: number,
): boolean {
  const far = (v: number): number =>
    (x[v] - x[from]) * (x[to] - x[from]) + (y[v] - y[from]) * (y[to] - y[from]);
  let v = from;
  do {
    const next = after[v];
    const cross = (x[to] - x[from]) * (y[next] - y[from]) - (y[to] - y[from]) * (x[next] - x[from]);
    if (isWalked[v] === 0 || cross !== 0 || far(next) <= far(v)) return false;
    v = next;
  } while (v !== to);
  return true;
}
