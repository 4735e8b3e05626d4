import { openTileset } from '#map-data/open-tileset.js';
import { currentRelease } from '#map-data/release/release.js';
import type { Config } from '#platform/config/settings.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { answerRouteTask } from '#routing-engine/tasks/route-task.js';
import { type Answer, failed, ok, warning } from './finding.js';
import { openObjectsToRead } from './read-only-objects.js';

/** Some edges lead nowhere. */
const attempts = 20;

/** Opens the roads of the current release and searches a route on them. */
export async function checkRelease(config: Config): Promise<Answer> {
  const objects = await openObjectsToRead(config);
  try {
    const release = await currentRelease(objects);
    if (release === undefined)
      return warning('there is no map yet', 'Start the platform, or run npx meridian tiles build.');
    const network = await openTileset(objects, release.tilesetId);
    const meters = anyRoute(network);
    const shown = `release ${release.releaseId}, ${network.edgeCount.toLocaleString('en')} road edges`;
    return meters === undefined
      ? failed(
          `${shown}: none of ${attempts} routes was found`,
          'Run npx meridian tiles build --from-scratch.',
        )
      : ok(`${shown}, a route of ${(meters / 1_000).toFixed(1)} km`);
  } finally {
    await objects.close();
  }
}

function anyRoute(network: RoadNetwork): number | undefined {
  const metric = freeFlowMetric(network, 'driving');
  for (let n = 1; n <= attempts; n += 1) {
    const edge = (share: number): number => Math.floor(share * (network.edgeCount - 1));
    const outcome = answerRouteTask(network, {
      metric,
      from: { edge: edge(n / (attempts + 1)), fraction: 0.5 },
      to: { edge: edge((n * 0.618) % 1), fraction: 0.5 },
      avoid: 0,
      alternatives: 0,
    });
    if (outcome.status === 'ok') return outcome.routes[0]!.path.lengthM;
  }
  return undefined;
}
