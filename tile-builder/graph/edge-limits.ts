import { nodeFlag } from '#map-data/tiles/node-flag.js';
import { limitsAtNode } from '#osm/profiles/vehicle-limits.js';
import { edgeFlag } from '#routing-engine/network/edge-flags.js';
import type { EdgeLimits } from '#routing-engine/network/network-arrays.js';
import type { VehicleLimits } from '#routing-engine/network/vehicle.js';
import type { Tags } from '#schemas/osm-sink.js';
import type { DirectedEdges } from './directed-edges.js';
import type { RoadPieces } from './road-pieces.js';

/** By crossing: the limits of a barrier there. */
export type CrossingLimits = ReadonlyMap<number, VehicleLimits>;

export function crossingLimits(
  { nodeFlags, nodeOsmId }: RoadPieces,
  nodeTags: ReadonlyMap<number, Tags>,
): CrossingLimits {
  const found = new Map<number, VehicleLimits>();
  for (let crossing = 0; crossing < nodeFlags.length; crossing++) {
    if ((nodeFlags[crossing] & nodeFlag.limited) === 0) continue;
    const limits = limitsAtNode(nodeTags.get(nodeOsmId[crossing])!);
    if (limits !== undefined) found.set(crossing, limits);
  }
  return found;
}

/**
 * Equal limits once each, with the numbers that `newEdge` gives to their edges; marks the edges of crossings
 * with limits, as those of ways are marked already.
 */
export function edgeLimits(
  { reading, readings }: RoadPieces,
  edges: DirectedEdges,
  flags: Uint32Array,
  atCrossings: CrossingLimits,
  newEdge: Uint32Array,
): EdgeLimits[] {
  const found = new Map<string, Omit<EdgeLimits, 'edges'> & { readonly edges: number[] }>();
  const add = ({ most, hazmat }: VehicleLimits, atTail: boolean, edge: number): void => {
    const key = JSON.stringify([most, hazmat, atTail]);
    const known = found.get(key) ?? { most, hazmat, atTail, edges: [] };
    known.edges.push(newEdge[edge]);
    found.set(key, known);
  };
  for (let edge = 0; edge < edges.count; edge++) {
    if ((flags[edge] & edgeFlag.limited) === 0) continue;
    const { forwardLimits, backwardLimits } = readings[reading[edges.piece[edge]]];
    const limits = edges.against[edge] === 1 ? backwardLimits : forwardLimits;
    if (limits !== undefined) add(limits, false, edge);
  }
  for (const [crossing, limits] of atCrossings)
    for (const edge of edges.outOf(crossing)) {
      flags[edge] |= edgeFlag.limited;
      add(limits, true, edge);
    }
  return [...found]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, limits]) => ({ ...limits, edges: limits.edges.toSorted((a, b) => a - b) }));
}
