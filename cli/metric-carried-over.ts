import { setTimeout as delay } from 'node:timers/promises';
import { freeFlowMetric } from '#routing-engine/metric.js';
import type { LiveRoads } from './open-roads.js';

/** After this time new roads serve at free flow: nobody makes their metric, or nothing that was live is on them. */
const waitMaxMs = 30_000;
const lookEveryMs = 50;

/** Resolves when the group `customization` has made the first metric of the new roads of what it knows of the old ones. */
export async function metricCarriedOver(
  before: LiveRoads,
  after: LiveRoads,
  signal: AbortSignal,
): Promise<void> {
  if (isFreeFlow(before)) return;
  const deadline = performance.now() + waitMaxMs;
  while (after.metric.publishedMs === undefined && performance.now() < deadline)
    await delay(lookEveryMs, undefined, { signal });
}

function isFreeFlow({ network, metric }: LiveRoads): boolean {
  const { costMs } = freeFlowMetric(network, 'driving');
  return metric.current.costMs.every((cost, edge) => cost === costMs[edge]);
}
