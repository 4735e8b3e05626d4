import { openEdges } from '#routing-engine/hours/open-edges.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import type { TravelMode } from '#routing-engine/network/travel-mode.js';
import { applyHours } from '#routing-engine/overlay/apply-hours.js';
import { followTraffic } from '#routing-engine/overlay/follow-traffic.js';
import { applyChanges, freeFlowMetric, type Metric } from '#routing-engine/overlay/metric.js';

/** What changes the metrics of all modes. */
export interface LiveBlocks {
  /** Edges that are closed for every mode now; another array after each change. */
  readonly blocked: () => readonly number[];
  /** Version that a metric without these edges has. */
  readonly version: () => number;
}

const noBlocks: LiveBlocks = { blocked: () => [], version: () => 0 };

/**
 * Metrics at an hour, in Unix milliseconds: of what is open at some hours only, they have what is open then.
 */
export interface ModeMetrics {
  /** Empty roads. */
  freeFlow(mode: TravelMode, atMs: number): Metric;
  /** Empty roads without those that are blocked now. */
  open(mode: TravelMode, atMs: number): Metric;
  /** The version that `open` would have, which is not made for it. */
  openVersion(mode: TravelMode): number;
  /** The roads of another mode in the traffic that cars report, without those that are blocked now. */
  following(cars: Metric, mode: TravelMode, atMs: number): Metric;
  /** A metric of another hour. */
  at(metric: Metric, atMs: number): Metric;
}

/** Metrics of modes whose speeds no source reports, each made when it is first requested. */
export function modeMetrics(network: RoadNetwork, { blocked, version } = noBlocks): ModeMetrics {
  const empty = new Map<TravelMode, Metric>();
  const open = new Map<TravelMode, { readonly edges: readonly number[]; readonly metric: Metric }>();
  const followers = new WeakMap<Metric, { readonly open: Metric; readonly metric: Metric }>();
  const byHours = new WeakMap<Metric, WeakMap<ReadonlySet<number>, Metric>>();
  const at = (metric: Metric, atMs: number): Metric => {
    const edges = openEdges(network, metric.mode, atMs);
    const ofMetric = byHours.get(metric) ?? new WeakMap<ReadonlySet<number>, Metric>();
    byHours.set(metric, ofMetric);
    let then = ofMetric.get(edges);
    if (then === undefined) {
      const closed = new Set(blocked());
      then = applyHours(network, metric, edges, (edge) => closed.has(edge));
      ofMetric.set(edges, then);
    }
    return then;
  };
  const atAnyHour = (mode: TravelMode): Metric => {
    const metric = empty.get(mode) ?? freeFlowMetric(network, mode);
    empty.set(mode, metric);
    return metric;
  };
  const withoutBlocked = (mode: TravelMode): Metric => {
    const edges = blocked();
    if (edges.length === 0) return atAnyHour(mode);
    const known = open.get(mode);
    if (known?.edges === edges) return known.metric;
    const changes = edges.map((edge) => ({ edge, closed: true }) as const);
    const metric = applyChanges(network, atAnyHour(mode), changes, version());
    open.set(mode, { edges, metric });
    return metric;
  };
  const inTraffic = (cars: Metric, mode: TravelMode): Metric => {
    const open = withoutBlocked(mode);
    const known = followers.get(cars);
    if (known?.open === open) return known.metric;
    const metric = followTraffic(network, open, cars);
    followers.set(cars, { open, metric });
    return metric;
  };
  return {
    following: (cars, mode, atMs) => at(inTraffic(cars, mode), atMs),
    freeFlow: (mode, atMs) => at(atAnyHour(mode), atMs),
    open: (mode, atMs) => at(withoutBlocked(mode), atMs),
    openVersion(mode) {
      const edges = blocked();
      if (edges.length === 0) return 0;
      const known = open.get(mode);
      return known?.edges === edges ? known.metric.version : version();
    },
    at,
  };
}
