import { FORBIDDEN_TURN } from './network-arrays.js';
import type { RoadNetwork } from './road-network.js';
import { modeIndex, type TravelMode } from './travel-mode.js';

/**
 * Cost of the turn from one edge to the next in tenths of a second; undefined when it is forbidden or they do
 * not meet.
 */
export function turnDs(network: RoadNetwork, mode: TravelMode, from: number, to: number): number | undefined {
  const { head, tail, firstOut, inRank, turnTable, turnCostsDs } = network.arrays;
  const node = head[from];
  if (tail[to] !== node) return undefined;
  const degree = firstOut[node + 1] - firstOut[node];
  const table = turnTable[modeIndex(mode) * network.nodeCount + node];
  const cost = turnCostsDs[table + inRank[from] * degree + (to - firstOut[node])];
  return cost === FORBIDDEN_TURN ? undefined : cost;
}
