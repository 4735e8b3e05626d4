import type { Mode } from '../ports/planner.js';
import type { LiveMetric } from './engine-traffic.js';
import type { ModeMetrics } from './mode-metrics.js';

/** Current traffic is not used for departures later than this. */
const liveAheadMs = 30 * 60_000;

export interface MetricSources {
  readonly driving: () => LiveMetric;
  readonly others: ModeMetrics;
  /** Unix milliseconds. */
  readonly nowMs?: () => number;
}

/** The metric for a departure, which is now if it is absent. */
export function metricAt(
  { driving, others, nowMs = Date.now }: MetricSources,
  { mode, departureMs }: { readonly mode: Mode; readonly departureMs?: number | undefined },
): LiveMetric {
  const isLater = departureMs !== undefined && departureMs > nowMs() + liveAheadMs;
  if (mode === 'driving' && !isLater) return driving();
  return { metric: isLater ? others.freeFlow(mode) : others.open(mode), publishedMs: undefined };
}
