import { warmUp } from '#api/nav/warm-up.js';
import { ReleaseHolder } from '#api/release/release-holder.js';
import type { Releases, ServedRelease } from '#api/release/served-release.js';
import { carryLearnt } from '#map-data/learned/carry-learnt.js';
import { openTileset } from '#map-data/open-tileset.js';
import type { Release } from '#map-data/release/release.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { Context, LogAndCodecs } from '../context.js';
import { mapName, type OpenedMap } from '../open/open-map.js';
import { type LiveRoads, openRoads, readyWithMetric } from '../open/open-roads.js';
import { openPlacesAndMap, openServedRelease } from '../open/open-served-release.js';
import { openScope } from '../scope.js';
import { followReleases } from './follow-releases.js';
import { metricCarriedOver } from './metric-carried-over.js';

/**
 * Notifies the other parts of a program that use the roads, before queries are answered: consumer groups
 * restart on them.
 */
export type OnNewRoads = (roads: LiveRoads) => Promise<void>;

export interface ServedReleases {
  readonly releases: Releases;
  /** The roads at the start of the program. */
  readonly roads: LiveRoads;
  /** From now on, a new release in the store replaces the current one. */
  follow(onNewRoads?: OnNewRoads): void;
}

/**
 * The release of the map that answers use, swapped as a whole while the program runs. New roads are opened in
 * addition to the old ones, consumer groups restart on them, the live metric is awaited, and then answers
 * switch in one step.
 */
export async function serveReleases(
  context: Context,
  events: LogAndCodecs,
  objects: ObjectStore,
  map: OpenedMap,
): Promise<ServedReleases> {
  const first = openScope(context);
  const firstRoads = await openRoads(first, events, objects, map.network);
  const firstRelease = await openServedRelease(first, objects, map.release, map.name, firstRoads);
  await warmUpOn(firstRoads, firstRelease);
  const holder = new ReleaseHolder({ release: firstRelease, close: () => first.close() }, (error) =>
    context.logger.warn('a replaced release did not close cleanly', { cause: error.message }),
  );
  context.onStop('release', () => holder.close());
  let roads = firstRoads;
  readyWithMetric(context, () => roads);

  async function take(release: Release, onNewRoads: OnNewRoads | undefined): Promise<void> {
    if (release.tilesetId === roads.network.tilesetId) {
      holder.amend(await openPlacesAndMap(objects, release, roads.network));
      return;
    }
    const scope = openScope(context);
    try {
      await carryLearnt(objects, roads.network.tilesetId, release.tilesetId);
      const network = await openTileset(objects, release.tilesetId);
      const next = await openRoads(scope, events, objects, network);
      const name = await mapName(context.config, release);
      const served = await openServedRelease(scope, objects, release, name, next);
      await onNewRoads?.(next);
      await metricCarriedOver(roads, next, context.signal);
      await warmUpOn(next, served);
      holder.swap({ release: served, close: () => scope.close() });
      roads = next;
    } catch (error) {
      await scope.close();
      throw error;
    }
  }

  return {
    releases: holder,
    roads: firstRoads,
    follow: (onNewRoads) =>
      followReleases(context, objects, map.release.releaseId, (release) => take(release, onNewRoads)),
  };
}

const warmUpOn = ({ network, pool }: LiveRoads, { planner }: ServedRelease): Promise<number> =>
  warmUp({ planner, network, threads: pool.threads, random: Math.random, clock: () => performance.now() });
