import { edgesNow } from '#routing-engine/network/edges-now.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { IncidentChanged } from '#schemas/messages.js';

/**
 * Directed edges of the current roads that an incident affects: its record lists the edges of the tileset on
 * which it was written. The writer of the metric and its check both use this function, so they never differ.
 */
export function incidentEdges(
  network: RoadNetwork,
  { tilesetId, edgeIds }: Pick<IncidentChanged, 'tilesetId' | 'edgeIds'>,
): readonly number[] {
  if (tilesetId !== network.tilesetId) return edgeIds.flatMap((id) => edgesNow(network, id));
  return edgeIds.flatMap((id) => network.edgeByStableId(id) ?? []);
}
