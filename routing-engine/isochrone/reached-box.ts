import type { RoadNetwork } from '../network/road-network.js';
import type { OpenEnd } from '../search/route-ends.js';
import type { BoxM } from './reach-grid.js';
import type { ReachSearch } from './reach-search.js';
import type { RoadLines } from './road-lines.js';
import type { ReachKind, RoadValues } from './road-values.js';

/** Around all places within a limit, almost: a bend of a short road may be outside. */
export function reachedBox(
  network: RoadNetwork,
  search: ReachSearch,
  starts: readonly OpenEnd[],
  lines: RoadLines,
  { atNodes, longOrPart }: RoadValues,
  { kind, limit, costMs }: { readonly kind: ReachKind; readonly limit: number; readonly costMs: Int32Array },
): BoxM {
  const { nodeLngE7, nodeLatE7, tail, lengthCm } = network.arrays;
  let [west, south, east, north] = [0, 0, 0, 0];
  const add = (x: number, y: number): void => {
    if (x < west) west = x;
    if (x > east) east = x;
    if (y < south) south = y;
    if (y > north) north = y;
  };
  const xOf = (node: number): number => (nodeLngE7[node] - lines.lng0E7) * lines.perLng;
  const yOf = (node: number): number => (nodeLatE7[node] - lines.lat0E7) * lines.perLat;
  /** Up to a share of the edge. */
  const addLine = (edge: number, until: number): void => {
    lines.read(edge);
    const { x, y, run, count } = lines;
    const end = until * run[count - 1];
    for (let point = 0; point < count; point++) {
      if (run[point] <= end) add(x[point], y[point]);
      else {
        const share = (end - run[point - 1]) / (run[point] - run[point - 1]);
        const between = (from: number, to: number): number => from + share * (to - from);
        add(between(x[point - 1], x[point]), between(y[point - 1], y[point]));
        return;
      }
    }
  };
  const addLongOrPart = (edge: number, atTail: number, whole: number): void => {
    if (atTail > limit) return;
    const isWhole = atTail + whole <= limit;
    // Most lines lie within the box anyway: nothing on one is farther from its tail than it is long.
    // On the flat map it may be a little longer.
    const far = lengthCm[edge] / 90;
    const x = xOf(tail[edge]);
    const y = yOf(tail[edge]);
    if (x - far < west || x + far > east || y - far < south || y + far > north)
      addLine(edge, isWhole ? 1 : (limit - atTail) / whole);
  };
  for (let at = 0; at < atNodes.count; at++) {
    const node = atNodes.nodes[at];
    if (atNodes.of(node) <= limit) add(xOf(node), yOf(node));
  }
  const wholes = kind === 'ms' ? costMs : lengthCm;
  const { edge: edges, [kind]: values } = search.tails;
  for (const label of longOrPart) addLongOrPart(edges[label], values[label], wholes[edges[label]]);
  for (const { edge, fraction, costMs: ms } of starts) {
    const whole = kind === 'ms' ? ms : lengthCm[edge];
    addLongOrPart(edge, -fraction * whole, whole);
  }
  return [west, south, east, north];
}
