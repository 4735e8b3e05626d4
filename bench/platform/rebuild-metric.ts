import { applyIncident, applySpeeds, edgeChanges, noRoads } from '#processors/customization/live-roads.js';
import { openEdges } from '#routing-engine/hours/open-edges.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { applyChanges, freeFlowMetric, type Metric } from '#routing-engine/overlay/metric.js';
import type { PlatformWorld } from './platform-world.js';

/** The metric that the log's speeds and incidents make, read from the beginning and without any snapshot. */
export function rebuildMetric({ log, codecs, network }: PlatformWorld, nowMs: number): Metric {
  const roads = noRoads();
  for (const { value } of log.records(codecs.trafficSegmentSpeed.topic.name))
    applySpeeds(roads, network, codecs.trafficSegmentSpeed.decode(value!));
  for (const { value } of log.records(codecs.trafficIncidentChanged.topic.name))
    applyIncident(roads, network, codecs.trafficIncidentChanged.decode(value!), nowMs);
  const edgeIds = Array.from({ length: network.edgeCount }, (_, edge) => network.edgeId(edge));
  const changes = edgeChanges(roads, network, edgeIds);
  const open = openEdges(network, 'driving', nowMs);
  return applyChanges(network, freeFlowMetric(network, 'driving'), changes, 1, open);
}

/** Edges whose times differ. */
export const differingEdges = (network: RoadNetwork, one: Metric, other: Metric): readonly string[] =>
  [...one.costMs].flatMap((cost, edge) => (cost === other.costMs[edge] ? [] : [network.edgeId(edge)]));
