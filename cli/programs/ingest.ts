import { openLogAndCodecs, runMeridian } from '../context.js';
import { openListeners, tokenIssuer } from '../start/serve.js';
import { openCustomerDatabase, startApiKeys } from '../start/start-api-keys.js';
import { doorRoutes, openLiveCache, openLocationStore, startWriter } from '../start/start-ingest.js';

export type IngestPart = 'door' | 'writer';

/** The ingest server, the location writer, or both. */
export const runIngest = (part: IngestPart | undefined): Promise<void> =>
  runMeridian('ingest', async (context) => {
    const issuer = await tokenIssuer(context);
    const listeners = await openListeners(context, issuer);
    const events = await openLogAndCodecs(context);
    if (part !== 'door') await startWriter(context, events, await openLocationStore(context));
    const routes = part === 'writer' ? [] : await doorRoutes(context, events, await openLiveCache(context));
    const customers = await startApiKeys(context, () => openCustomerDatabase(context));
    listeners.serve({ routes: [...routes, ...customers.routes], ...customers.metering });
  });
