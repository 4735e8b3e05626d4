import { openObjects } from '../adapters.js';
import { awaitPort, openLogAndCodecs, runMeridian } from '../context.js';
import { type Group, groups } from '../groups.js';
import { openMap } from '../open-map.js';
import { openListeners, tokenIssuer } from '../serve.js';
import { followMetric, startRoutePool } from '../start-api.js';
import { startProcessors } from '../start-processors.js';

/** Consumer groups alone; an empty list means all of them. */
export const runProcessors = (names: readonly Group[], osm: string | undefined): Promise<void> =>
  runMeridian('processors', async (context) => {
    const wanted = names.length === 0 ? groups : names;
    const issuer = await tokenIssuer(context);
    const listeners = await openListeners(context, issuer);
    const objects = await awaitPort(context, 'object store', () => openObjects(context.config));
    const { network } = await openMap(context.config, objects, osm);
    const events = await openLogAndCodecs(context);
    const searches = wanted.includes('reroute');
    const routing = searches
      ? {
          metric: await followMetric(context, events, objects, network),
          pool: startRoutePool(context, network),
        }
      : undefined;
    await startProcessors(context, wanted, {
      events,
      objects,
      network,
      ...(routing === undefined ? {} : { routing }),
    });
    listeners.serve({ routes: [] });
  });
