import { carryLearnt } from '#map-data/learned/carry-learnt.js';
import { openTileset } from '#map-data/open-tileset.js';
import type { TravelMode } from '#routing-engine/network/travel-mode.js';
import { openObjects } from '../adapters.js';
import { awaitPort, openLogAndCodecs, runMeridian } from '../context.js';
import { openMap } from '../open/open-map.js';
import { openRoads, readyWithMetric } from '../open/open-roads.js';
import { type Group, groups } from '../options/groups.js';
import { followReleases } from '../releases/follow-releases.js';
import { openScope } from '../scope.js';
import { openListeners, tokenIssuer } from '../start/serve.js';
import { startProcessors } from '../start/start-processors.js';

/** Reroutes are of drivers. */
const routedModes: readonly TravelMode[] = ['driving'];

/** Consumer groups only; an empty list means all of them. */
export const runProcessors = (names: readonly Group[], osm: string | undefined): Promise<void> =>
  runMeridian('processors', async (context) => {
    const wanted = names.length === 0 ? groups : names;
    const issuer = await tokenIssuer(context);
    const listeners = await openListeners(context, issuer);
    const objects = await awaitPort(context, 'object store', () => openObjects(context.config));
    const map = await openMap(context.config, objects, osm);
    const events = await openLogAndCodecs(context);
    let scope = openScope(context);
    context.onStop('roads', () => scope.close());
    let roads = await openRoads(scope, events, objects, map.network, routedModes);
    readyWithMetric(context, () => roads);
    const processors = await startProcessors(context, wanted, { events, objects }, roads);
    listeners.serve({ routes: [] });
    let { tilesetId } = map.release;
    followReleases(context, objects, map.release.releaseId, async (release) => {
      if (release.tilesetId === tilesetId) return;
      const next = openScope(context);
      try {
        await carryLearnt(objects, tilesetId, release.tilesetId);
        const network = await openTileset(objects, release.tilesetId);
        const opened = await openRoads(next, events, objects, network, routedModes);
        await processors.beginAnew(opened);
        roads = opened;
      } catch (error) {
        await next.close();
        throw error;
      }
      const before = scope;
      scope = next;
      ({ tilesetId } = release);
      await before.close();
    });
  });
