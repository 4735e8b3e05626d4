import { openObjects } from '../adapters.js';
import { awaitPort, openLogAndCodecs, runMeridian } from '../context.js';
import { openMap } from '../open/open-map.js';
import { serveReleases } from '../releases/serve-releases.js';
import { openListeners, tokenIssuer } from '../start/serve.js';
import { startApi } from '../start/start-api.js';
import { openCustomerDatabase, startApiKeys } from '../start/start-api-keys.js';
import { openLiveCache, openLocationStore } from '../start/start-ingest.js';
import { startOperations } from '../start/start-operations.js';
import { webPages } from '../web-pages.js';

export const runApi = (osm: string | undefined): Promise<void> =>
  runMeridian('api', async (context) => {
    const issuer = await tokenIssuer(context);
    const listeners = await openListeners(context, issuer);
    const objects = await awaitPort(context, 'object store', () => openObjects(context.config));
    const map = await openMap(context.config, objects, osm);
    const events = await openLogAndCodecs(context);
    const locations = await openLocationStore(context);
    const live = await openLiveCache(context);
    const served = await serveReleases(context, events, objects, map);
    const { releases } = served;
    const api = await startApi(context, { events, releases, objects, locations, live, issuer });
    const customers = await startApiKeys(context, () => openCustomerDatabase(context));
    const operations = startOperations(context, events, { api, releases }, listeners);
    const { pages, operatorPages } = webPages(context.config);
    listeners.serve({
      routes: [...api.routes, ...customers.routes, ...operations],
      sockets: api.sockets,
      ...{ pages, staffPages: operatorPages },
      ...customers.metering,
    });
    served.follow();
  });
