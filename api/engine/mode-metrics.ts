import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { TravelMode } from '#routing-engine/network/travel-mode.js';
import { applyChanges, freeFlowMetric, type Metric } from '#routing-engine/overlay/metric.js';

/** What changes the metrics of all modes. */
export interface LiveBlocks {
  /** Edges that are closed for every mode now; another array after each change. */
  readonly blocked: () => readonly number[];
  /** Version that a metric without these edges has. */
  readonly version: () => number;
}

const noBlocks: LiveBlocks = { blocked: () => [], version: () => 0 };

export interface ModeMetrics {
  /** Empty roads. */
  freeFlow(mode: TravelMode): Metric;
  /** Empty roads without those that are blocked now. */
  open(mode: TravelMode): Metric;
}

/** Metrics of modes whose speeds no source reports, each made when it is first requested. */
export function modeMetrics(network: RoadNetwork, { blocked, version } = noBlocks): ModeMetrics {
  const empty = new Map<TravelMode, Metric>();
  const open = new Map<TravelMode, { readonly edges: readonly number[]; readonly metric: Metric }>();
  const freeFlow = (mode: TravelMode): Metric => {
    const metric = empty.get(mode) ?? freeFlowMetric(network, mode);
    empty.set(mode, metric);
    return metric;
  };
  return {
    freeFlow,
    open(mode) {
      const edges = blocked();
      if (edges.length === 0) return freeFlow(mode);
      const known = open.get(mode);
      if (known?.edges === edges) return known.metric;
      const changes = edges.map((edge) => ({ edge, closed: true }) as const);
      const metric = applyChanges(network, freeFlow(mode), changes, version());
      open.set(mode, { edges, metric });
      return metric;
    },
  };
}
