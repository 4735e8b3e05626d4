import type { RoadNetwork } from '#routing-engine/road-network.js';
import type { EdgeFacts } from './publish-speed.js';

/** Crossings without a choice that are followed back to the last one with a choice. */
const stepsBackMax = 8;

/** Facts by stable edge id, made once for each edge; undefined for one that nobody drives or the tileset lacks. */
export function edgeFacts(network: RoadNetwork): (edgeId: string) => EdgeFacts | undefined {
  const known = new Map<string, EdgeFacts>();
  return (edgeId) => {
    const before = known.get(edgeId);
    if (before !== undefined) return before;
    const edge = network.edgeByStableId(edgeId);
    if (edge === undefined) return undefined;
    const freeFlowKph = network.freeFlowKph(edge, 'driving');
    if (freeFlowKph <= 0) return undefined;
    const others = otherExits(network, edge).map((other): string => network.edgeId(other));
    const facts = { lengthM: network.edgeLengthM(edge), freeFlowKph, others };
    known.set(edgeId, facts);
    return facts;
  };
}

/** What can be driven instead of `edge`, at its beginning or at the last crossing before it that has another exit. */
function otherExits(network: RoadNetwork, edge: number): readonly number[] {
  const cell = network.edgeCell(edge);
  let at = edge;
  for (let step = 0; step < stepsBackMax && network.edgeCell(at) === cell; step++) {
    const ways = exits(network, network.arrays.tail[at]!);
    const back = network.reverseOf(at);
    const before = back === undefined ? undefined : headedBack(network, back);
    const others = ways.filter((way) => way !== at && way !== before);
    if (others.length > 0 && ways.length > 2) return others;
    if (before === undefined) return others;
    const ahead = network.reverseOf(before);
    if (ahead === undefined) return others;
    at = ahead;
  }
  return [];
}

/** Original edges that leave a crossing and may be driven. */
function exits(network: RoadNetwork, node: number): number[] {
  const { firstOut, copyOf } = network.arrays;
  const out: number[] = [];
  for (let edge = firstOut[node]!; edge < firstOut[node + 1]!; edge++)
    if (copyOf[edge] === edge && network.freeFlowKph(edge, 'driving') > 0) out.push(edge);
  return out;
}

/** Where a road only goes on, the edge on which one comes back along it from `back`. */
function headedBack(network: RoadNetwork, back: number): number | undefined {
  const ways = exits(network, network.arrays.head[back]!).filter((way) => network.reverseOf(way) !== back);
  return ways.length === 1 ? ways[0] : undefined;
}
