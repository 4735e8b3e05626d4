import { CellsMissing } from '../network/cells-missing.js';
import type { RoadNetwork } from '../network/road-network.js';
import type { Metric } from '../overlay/metric.js';
import type { RouteEnd } from '../search/route-end.js';
import { type OpenEnd, openEnds } from '../search/route-ends.js';

interface Ends<End> {
  readonly from: readonly (readonly End[])[];
  readonly to: readonly (readonly End[])[];
}

/**
 * The ends of all places that may be used, as `openEnds`. All cells around them that are not loaded are
 * missed at once.
 */
export function openMatrixEnds(
  network: RoadNetwork,
  metric: Metric,
  { from, to }: Record<'from' | 'to', readonly { readonly ends: readonly RouteEnd[] }[]>,
  avoid: number,
): Ends<OpenEnd> {
  const missing = new Set<number>();
  const { head, tail } = network.arrays;
  const open = (ends: readonly RouteEnd[], withCopies: boolean, nodes: Uint32Array): OpenEnd[] => {
    try {
      const found = openEnds(network, metric, ends, avoid, withCopies);
      for (const { edge } of found) {
        const cell = network.nodeCell(nodes[edge]);
        if (metric.covered[cell] === 0) missing.add(cell);
      }
      return found;
    } catch (error) {
      if (!(error instanceof CellsMissing)) throw error;
      for (const cell of error.cells) missing.add(cell);
      return [];
    }
  };
  const opened = {
    from: from.map(({ ends }) => open(ends, false, head)),
    to: to.map(({ ends }) => open(ends, true, tail)),
  };
  if (missing.size > 0) throw new CellsMissing([...missing]);
  return opened;
}
