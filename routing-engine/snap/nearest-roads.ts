import type { RoadNetwork } from '../network/road-network.js';
import type { Metric } from '../overlay/metric.js';
import { type Snap, snap } from './snap.js';
import { type AskedStop, hintedPlace, type StopRules, stopOptions } from './stop-places.js';

/**
 * The nearest places of a stop, nearest first: one on each piece of road from one crossing to the next, in
 * one of its directions. A hint whose road is within reach is the only answer. Empty if every road within
 * reach must be avoided.
 */
export function nearestRoads(
  network: RoadNetwork,
  metric: Metric,
  stop: AskedStop,
  rules: StopRules,
  count: number,
): Snap[] {
  const { avoid, never } = rules;
  const hinted = hintedPlace(network, metric, stop, { ...rules, never: avoid | never });
  if (hinted.length > 0) return hinted.slice(0, 1);
  const options = stopOptions(network, metric, stop, rules, avoid | never);
  const found = snap(network, stop.point, { ...options, limit: count });
  const pieces = new Set<number>();
  const isFirst = ({ edge }: Snap): boolean => {
    const piece = network.arrays.piece[edge];
    if (pieces.has(piece)) return false;
    pieces.add(piece);
    return true;
  };
  return found.filter(isFirst).slice(0, count);
}
