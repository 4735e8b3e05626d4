import { distanceM } from '#routing-engine/network/earth.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { pathGeometry } from '#routing-engine/route/path-geometry.js';
import { type PathNodes, pathNodes } from '#routing-engine/route/path-nodes.js';
import { isDrivable } from '../openlr/road-attributes.js';
import { type SegmentSpeeds, segmentKey } from './read-segment-speeds.js';

/** Gives the ids of the points between crossings. */
interface NodeIds {
  idsOf(nodes: PathNodes): Promise<readonly number[]>;
}

export interface EdgeSpeeds {
  /** Edges with a stated stretch, and their km/h as a whole; 0 where a stretch is closed. */
  readonly kphOf: ReadonlyMap<number, number>;
  /** Pairs of nodes that are not next to each other on a road for cars. */
  readonly unknown: number;
}

/**
 * An edge goes from one crossing to the next, over one or more stretches between nodes. Its speed is that of
 * the whole: a stretch that the file does not state is driven at free flow, and one that is closed closes the
 * edge.
 */
export async function edgeSpeeds(
  network: RoadNetwork,
  nodes: NodeIds,
  speeds: SegmentSpeeds,
): Promise<EdgeSpeeds> {
  const kphOf = new Map<number, number>();
  const known = new Set<string>();
  for (let edge = 0; edge < network.edgeCount; edge++) {
    if (!isDrivable(network, edge)) continue;
    const path = { edges: Uint32Array.of(edge), fromFraction: 0, toFraction: 1 };
    const ids = await nodes.idsOf(pathNodes(network, path));
    const { lngLat } = pathGeometry(network, path);
    const usualKph = network.freeFlowKph(edge, 'driving');
    let [metres, metresPerKph, isStated] = [0, 0, false];
    for (let at = 1; at < ids.length; at++) {
      const key = segmentKey(ids[at - 1]!, ids[at]!);
      const stated = speeds.get(key);
      const lengthM = distanceM(
        lngLat[2 * at - 2]!,
        lngLat[2 * at - 1]!,
        lngLat[2 * at]!,
        lngLat[2 * at + 1]!,
      );
      metres += lengthM;
      metresPerKph += lengthM / (stated ?? usualKph);
      if (stated === undefined) continue;
      known.add(key);
      isStated = true;
    }
    if (isStated) kphOf.set(edge, metres / metresPerKph);
  }
  return { kphOf, unknown: speeds.size - known.size };
}
