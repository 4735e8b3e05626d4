import { type BarredRoads, barredTo } from '../network/barred-roads.js';
import type { RoadNetwork } from '../network/road-network.js';
import type { Metric } from '../overlay/metric.js';
import type { FoundPath, FoundPaths } from './found-paths.js';
import { type SearchOptions, searchOverlay } from './overlay-search.js';
import type { OpenEnd } from './route-ends.js';

/** Searches before all cells with barred roads are searched in detail. */
const ROUNDS_MAX = 12;

/**
 * `searchOverlay` without the roads that are barred to the vehicle of the metric. The overlay is that of all
 * vehicles of the mode, so its weights are lower bounds: a path that it gives is the cheapest one if no road
 * on it is barred. Otherwise the cells of these roads are searched in detail, without them, until that is so.
 */
export function searchForVehicle(
  network: RoadNetwork,
  metric: Metric,
  from: readonly OpenEnd[],
  to: readonly OpenEnd[],
  openZone: number,
  avoid: number,
  options: SearchOptions = {},
): FoundPaths | undefined {
  const barred = barredTo(network, metric.vehicle);
  if (barred === undefined) return searchOverlay(network, metric, from, to, openZone, avoid, options);
  const opened = new Set(options.instead?.cells);
  for (let round = 1; ; round++) {
    const found = searchOverlay(network, metric, from, to, openZone, avoid, { ...options, barred, opened });
    if (found === undefined) return undefined;
    const cells = barredCells(network, barred, found.best);
    if (cells.length === 0)
      return { best: found.best, others: (overlapMax) => fitting(found.others(overlapMax)) };
    if (opened.size > 0 && cells.every((cell) => opened.has(cell)))
      throw new Error('a barred road was used in a cell that was searched in detail');
    for (const cell of round < ROUNDS_MAX ? cells : barred.cells) opened.add(cell);
  }

  function* fitting(paths: Iterable<FoundPath>): Iterable<FoundPath> {
    for (const path of paths) if (barredCells(network, barred!, path).length === 0) yield path;
  }
}

/** The cells in which the path enters a barred road; it may begin on one that must not be entered. */
function barredCells(network: RoadNetwork, barred: BarredRoads, { edges }: FoundPath): number[] {
  const cells: number[] = [];
  for (let at = 1; at < edges.length; at++)
    if (barred.has(edges[at])) cells.push(network.edgeCell(edges[at]));
  return cells;
}
