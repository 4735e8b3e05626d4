import type { CellId } from '#schemas/units.js';
import { edgeFlag } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import { customizeCells } from './customize.js';
import { assertSameTileset, CLOSED, copyCosts, type Metric, msAtSpeed } from './metric.js';

/** For a routing worker. Structured-cloneable; the memory of metrics is shared. */
export interface LimitedSpeedTask {
  readonly metric: Metric;
  readonly topSpeedKph: number;
}

/**
 * The metric for what goes no faster than this, wherever the road or its traffic would let it. Ferries keep
 * their times. The bound of goal-directed search stays valid, because no cost falls.
 */
export function limitSpeed(network: RoadNetwork, metric: Metric, topSpeedKph: number): Metric {
  assertSameTileset(network, metric);
  if (!(topSpeedKph > 0)) throw new RangeError(`${topSpeedKph} km/h is no speed`);
  const { flags } = network.arrays;
  const { costMs, covered } = copyCosts(network, metric);
  const changed = new Set<number>();
  for (let cell = 0; cell < network.cellCount; cell++) {
    if (covered[cell] === 0) continue;
    const [first, end] = network.cellEdges(cell as CellId);
    for (let edge = first; edge < end; edge++) {
      if (costMs[edge] === CLOSED || (flags[edge] & edgeFlag.ferry) !== 0) continue;
      const leastMs = msAtSpeed(network, edge, topSpeedKph);
      if (costMs[edge] >= leastMs) continue;
      costMs[edge] = leastMs;
      changed.add(cell);
    }
  }
  const weightsMs = customizeCells(network, metric.mode, { costMs, covered }, metric.weightsMs, changed);
  return { ...metric, topSpeedKph, costMs, covered, weightsMs };
}
