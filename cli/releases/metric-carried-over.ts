import { setTimeout as delay } from 'node:timers/promises';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import type { LiveRoads } from '../open/open-roads.js';

/**
 * After this time, new roads without incidents serve at free flow: no process writes their metric, or there
 * is no live data.
 */
const waitMaxMs = 30_000;
const lookEveryMs = 50;

/**
 * Resolves when the group `customization` has written the first metric of the new roads from the state of the
 * old ones. Rejects if it lacks an incident after that time: then the old roads, which have it, continue to
 * serve.
 */
export async function metricCarriedOver(
  before: LiveRoads,
  after: LiveRoads,
  signal: AbortSignal,
): Promise<void> {
  const isNothingLive = isFreeFlow(before);
  const isFirstMade = (): boolean => isNothingLive || after.metric.publishedMs !== undefined;
  const deadline = performance.now() + waitMaxMs;
  while ((!isFirstMade() || after.gap() !== undefined) && performance.now() < deadline)
    await delay(lookEveryMs, undefined, { signal });
  const gap = after.gap();
  if (gap !== undefined) throw new Error(gap);
}

function isFreeFlow({ network, metric }: LiveRoads): boolean {
  const { costMs } = freeFlowMetric(network, 'driving');
  return metric.current.costMs.every((cost, edge) => cost === costMs[edge]);
}
