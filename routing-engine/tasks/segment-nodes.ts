import { distanceM } from '../network/earth.js';
import type { RoadNetwork } from '../network/road-network.js';
import type { Snap } from '../snap/snap.js';

/**
 * Ids in OpenStreetMap of the two nodes between which a place lies, in the direction of its edge. The map
 * has the ids of crossings and ends of roads; others are 0.
 */
export function segmentNodes(network: RoadNetwork, { edge, fraction }: Snap): readonly [number, number] {
  const { tail, head, nodeOsmId } = network.arrays;
  const line = network.edgeGeometry(edge);
  const segments = line.length / 2 - 1;
  const lengths = Float64Array.from({ length: segments }, (_, at) =>
    distanceM(line[2 * at], line[2 * at + 1], line[2 * at + 2], line[2 * at + 3]),
  );
  let left = fraction * lengths.reduce((sum, each) => sum + each, 0);
  let at = 0;
  while (at < segments - 1 && left > lengths[at]) left -= lengths[at++];
  return [at === 0 ? nodeOsmId[tail[edge]] : 0, at === segments - 1 ? nodeOsmId[head[edge]] : 0];
}
