import { distanceM } from '#routing-engine/network/earth.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { turnDs } from '#routing-engine/network/turn-cost.js';
import { isDrivable } from '#traffic-exchange/openlr/road-attributes.js';

/** A walk that turns at random and never turns back, of at most so many edges. */
export function randomWalk(network: RoadNetwork, random: () => number, edgesMax: number): number[] {
  return walk(network, random, edgesMax, () => true);
}

/** One that is legal, and leads away from its beginning with every edge, as works along a road do. */
export function pathBetween(network: RoadNetwork, random: () => number, edgesMax: number): number[] {
  const { head, nodeLngE7, nodeLatE7, tail } = network.arrays;
  const place = (node: number): [number, number] => [nodeLngE7[node]! / 1e7, nodeLatE7[node]! / 1e7];
  return walk(network, random, edgesMax, (next, first, last) => {
    if (turnDs(network, 'driving', last, next) === undefined) return false;
    const from = place(tail[first]!);
    return distanceM(...from, ...place(head[next]!)) > distanceM(...from, ...place(head[last]!)) + 1;
  });
}

function walk(
  network: RoadNetwork,
  random: () => number,
  edgesMax: number,
  may: (next: number, first: number, last: number) => boolean,
): number[] {
  const { head, firstOut } = network.arrays;
  let edge: number;
  do edge = Math.floor(random() * network.edgeCount);
  while (!isDrivable(network, edge));
  const edges = [edge];
  while (edges.length < edgesMax) {
    const node = head[edge]!;
    const next: number[] = [];
    for (let out = firstOut[node]!; out < firstOut[node + 1]!; out++)
      if (isDrivable(network, out) && out !== network.reverseOf(edge) && may(out, edges[0]!, edge))
        next.push(out);
    if (next.length === 0) break;
    edge = next[Math.floor(random() * next.length)]!;
    edges.push(edge);
  }
  return edges;
}
