import geohash from 'ngeohash';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';

/** About 39 km by 20 km. */
const characters = 4;

/** Geohash of where the edge begins; `elsewhere` for one that the map lacks. */
export function areaOf(network: RoadNetwork, edgeId: string): string {
  const edge = network.edgeByStableId(edgeId);
  if (edge === undefined) return 'elsewhere';
  const [lng, lat] = network.edgeGeometry(edge);
  return geohash.encode(lat!, lng!, characters);
}
