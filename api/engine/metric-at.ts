import { usualTruck, type Vehicle } from '#routing-engine/network/vehicle.js';
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

/** The metric for a departure, which is now if it is absent, with what is open then; a truck has a size. */
export function metricAt(
  { driving, others, nowMs = Date.now }: MetricSources,
  {
    mode,
    vehicle = usualTruck,
    departureMs,
  }: {
    readonly mode: Mode;
    readonly vehicle?: Vehicle | undefined;
    readonly departureMs?: number | undefined;
  },
): LiveMetric {
  const now = nowMs();
  const atMs = departureMs ?? now;
  const isLater = atMs > now + liveAheadMs;
  if (mode === 'driving' && !isLater) {
    const { metric, publishedMs } = driving();
    return { metric: others.at(metric, atMs), publishedMs };
  }
  if (mode === 'truck' && !isLater) {
    const { metric, publishedMs } = driving();
    return { metric: { ...others.following(metric, mode, atMs), vehicle }, publishedMs };
  }
  const metric = isLater ? others.freeFlow(mode, atMs) : others.open(mode, atMs);
  return { metric: mode === 'truck' ? { ...metric, vehicle } : metric, publishedMs: undefined };
}
