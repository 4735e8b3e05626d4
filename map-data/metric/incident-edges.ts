import { edgesNow } from '#routing-engine/network/edges-now.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { IncidentChanged } from '#schemas/messages.js';

/**
 * Directed edges of the present roads that an incident is on: its record names those of the tileset on which
 * it was written. Whoever makes the metric and whoever checks it ask here, so that they never differ.
 */
export function incidentEdges(
  network: RoadNetwork,
  { tilesetId, edgeIds }: Pick<IncidentChanged, 'tilesetId' | 'edgeIds'>,
): readonly number[] {
  if (tilesetId !== network.tilesetId) return edgeIds.flatMap((id) => edgesNow(network, id));
  return edgeIds.flatMap((id) => network.edgeByStableId(id) ?? []);
}
