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
  const onIncidents = [...roads.incidents.values()].flatMap(({ edgeIds }) => edgeIds);
  const changes = edgeChanges(roads, network, [...roads.speeds.keys(), ...onIncidents]);
  const open = openEdges(network, 'driving', nowMs);
  return applyChanges(network, freeFlowMetric(network, 'driving'), changes, 1, open);
}

/** Edges whose times differ. */
export function differingEdges(network: RoadNetwork, one: Metric, other: Metric): readonly string[] {
  const differing: string[] = [];
  for (let edge = 0; edge < one.costMs.length; edge++)
    if (one.costMs[edge] !== other.costMs[edge]) differing.push(network.edgeId(edge));
  return differing;
}
