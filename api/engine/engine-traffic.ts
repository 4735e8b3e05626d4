import { isAtHours } from '#routing-engine/network/at-hours.js';
import { edgeFlag } from '#routing-engine/network/edge-flags.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { CLOSED, freeFlowMs, type Metric } from '#routing-engine/overlay/metric.js';
import type { CurrentTraffic, EdgeTraffic } from '../ports/traffic-view.js';

/** The current driving metric. */
export interface LiveMetric {
  readonly metric: Metric;
  /** Unix milliseconds of its publication; undefined for free flow before the first. */
  readonly publishedMs: number | undefined;
}

const kph = (lengthCm: number, costMs: number): number => (lengthCm * 36) / costMs;

function* differing(network: RoadNetwork, current: Metric): Iterable<EdgeTraffic> {
  const { lengthCm } = network.arrays;
  for (let edge = 0; edge < network.edgeCount; edge += 1) {
    const before = freeFlowMs(network, edge, 'driving');
    const now = current.costMs[edge]!;
    // Roads that are closed by law are not traffic, and a copy has the same line as its edge.
    if (now === before || before === CLOSED || (network.edgeFlags(edge) & edgeFlag.copy) !== 0) continue;
    const closed = now === CLOSED;
    // Most likely it is shut by its hours, which is no traffic either.
    if (closed && isAtHours(network, edge, 'driving')) continue;
    yield {
      edge,
      closed,
      speedKph: closed ? 0 : kph(lengthCm[edge]!, now),
      freeFlowKph: kph(lengthCm[edge]!, before),
    };
  }
}

/** Reads the traffic from the metric: the edges that differ from free flow. */
export function engineTraffic(network: RoadNetwork, live: () => LiveMetric): () => CurrentTraffic {
  return () => {
    const { metric, publishedMs } = live();
    return {
      ...{ version: metric.version, publishedMs },
      differing: () => differing(network, metric),
      isClosed: (edge) => metric.costMs[edge] === CLOSED,
    };
  };
}
