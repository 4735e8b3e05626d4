import { setTimeout as delay } from 'node:timers/promises';
import type { MetricFollower } from '#tile-builder/metric-follower.js';

/** After this time new roads serve at free flow: nobody makes their metric, or there was nothing left to carry. */
const waitMaxMs = 30_000;
const lookEveryMs = 50;

/** Resolves when the group `customization` has made the first metric of the new roads of what it knows of the old ones. */
export async function metricCarriedOver(
  before: Pick<MetricFollower, 'publishedMs'>,
  after: Pick<MetricFollower, 'publishedMs'>,
  signal: AbortSignal,
): Promise<void> {
  if (before.publishedMs === undefined) return;
  const deadline = performance.now() + waitMaxMs;
  while (after.publishedMs === undefined && performance.now() < deadline)
    await delay(lookEveryMs, undefined, { signal });
}
