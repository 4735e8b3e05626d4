import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { EdgeFacts } from './publish-speed.js';

/**
 * Facts by stable edge id, computed once for each edge; undefined for an edge that is closed to driving or
 * not in the tileset.
 */
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
    const back = network.reverseOf(edge);
    const reverse = back === undefined ? {} : { reverse: network.edgeId(back) };
    const facts = { lengthM: network.edgeLengthM(edge), freeFlowKph, others, ...reverse };
    known.set(edgeId, facts);
    return facts;
  };
}

/** Edges that can be driven instead of `edge` at its start. */
function otherExits(network: RoadNetwork, edge: number): readonly number[] {
  return exits(network, network.arrays.tail[edge]!).filter((way) => way !== edge);
}

/** Original edges that leave a crossing and may be driven. */
function exits(network: RoadNetwork, node: number): number[] {
  const { firstOut, copyOf } = network.arrays;
  const out: number[] = [];
  for (let edge = firstOut[node]!; edge < firstOut[node + 1]!; edge++)
    if (copyOf[edge] === edge && network.freeFlowKph(edge, 'driving') > 0) out.push(edge);
  return out;
}
