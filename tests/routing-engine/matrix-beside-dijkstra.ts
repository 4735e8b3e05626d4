import { travelMatrix } from '#routing-engine/matrix/travel-matrix.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { modeIndex } from '#routing-engine/network/travel-mode.js';
import { CLOSED, type Metric } from '#routing-engine/overlay/metric.js';
import { dijkstra } from '#routing-engine/reference/dijkstra.js';
import { any } from './random-town.js';

interface Cell {
  readonly from: number;
  readonly to: number;
  readonly ms: number;
  /** By plain Dijkstra over the oracle's costs; Infinity where no route leads. */
  readonly expectedMs: number;
}

/** The cells of a matrix between random places, `size` by `size`, beside what an oracle gives. */
export function* matrixBesideDijkstra(
  network: RoadNetwork,
  metric: Metric,
  { size, random, oracle = metric }: { size: number; random: () => number; oracle?: Metric },
): Generator<Cell> {
  const open = [...oracle.costMs.keys()].filter((edge) => oracle.costMs[edge] !== CLOSED);
  const draw = () => [{ edge: any(open, random), fraction: Math.round(10 * random()) / 10 }];
  const place = () => ({ ends: draw(), trims: false });
  const [from, to] = [Array.from({ length: size }, place), Array.from({ length: size }, place)];
  const { ms } = travelMatrix(network, metric, { from, to, withMetres: true });
  const row = modeIndex(metric.mode) * network.edgeCount;
  for (const [i, start] of from.entries())
    for (const [j, goal] of to.entries()) {
      const zone = network.arrays.zone[row + goal.ends[0]!.edge] === 0 ? [] : goal.ends;
      const expected = dijkstra(network, oracle, start.ends, 0, zone).costTo(goal.ends);
      yield { from: i, to: j, ms: ms[size * i + j]!, expectedMs: expected ?? Number.POSITIVE_INFINITY };
    }
}
