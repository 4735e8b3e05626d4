import { openLogAndCodecs, runMeridian } from '../context.js';
import { openListeners, tokenIssuer } from '../start/serve.js';
import { openHotelDatabase, startHotel } from '../start/start-hotel.js';
import { openLiveCache } from '../start/start-ingest.js';

/** Hotels only: all their operations on both listeners, and their background jobs. */
export const runHotel = (): Promise<void> =>
  runMeridian('hotel', async (context) => {
    const issuer = await tokenIssuer(context);
    const listeners = await openListeners(context, issuer);
    const events = await openLogAndCodecs(context);
    const live = await openLiveCache(context);
    const sql = await openHotelDatabase(context);
    const { routes } = await startHotel(context, { events, live, sql });
    listeners.serve({ routes });
  });
