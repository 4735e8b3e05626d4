import type { CellId } from '#schemas/units.js';
import { isAtHours } from '../network/at-hours.js';
import type { RoadNetwork } from '../network/road-network.js';
import { customizeCells } from './customize.js';
import { assertSameTileset, CLOSED, copyCosts, freeFlowMs, type Metric } from './metric.js';

/**
 * The metric of another mode in the traffic that cars report: what is closed to them at the moment is closed,
 * and where they are slower, it is as slow. What opens to cars by the hour is left as it is.
 */
export function followTraffic(network: RoadNetwork, metric: Metric, cars: Metric): Metric {
  assertSameTileset(network, metric);
  assertSameTileset(network, cars);
  const { costMs, covered } = copyCosts(network, metric);
  const cells = new Set<number>();
  for (let cell = 0; cell < network.cellCount; cell++) {
    if (covered[cell] === 0 || cars.covered[cell] === 0) continue;
    const [first, end] = network.cellEdges(cell as CellId);
    for (let edge = first; edge < end; edge++) {
      const now = cars.costMs[edge];
      if (now <= costMs[edge] || costMs[edge] === CLOSED) continue;
      // Trucks are slower than cars anyway; only what differs from free flow is traffic.
      if (now === freeFlowMs(network, edge, 'driving')) continue;
      if (now === CLOSED && isAtHours(network, edge, 'driving')) continue;
      costMs[edge] = now;
      cells.add(cell);
    }
  }
  const weightsMs = customizeCells(network, metric.mode, { costMs, covered }, metric.weightsMs, cells);
  return { ...metric, version: cars.version, costMs, covered, weightsMs };
}
