import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { TravelMode } from '#routing-engine/network/travel-mode.js';
import { freeFlowMetric, type Metric } from '#routing-engine/overlay/metric.js';

/** Metrics of an empty road, each made when it is first requested. */
export function stillMetrics(network: RoadNetwork): (mode: TravelMode) => Metric {
  const made = new Map<TravelMode, Metric>();
  return (mode) => {
    const metric = made.get(mode) ?? freeFlowMetric(network, mode);
    made.set(mode, metric);
    return metric;
  };
}
