import { openLogAndCodecs, runMeridian } from '../context.js';
import { openListeners, tokenIssuer } from '../start/serve.js';
import { openBookingDatabase, startBookings } from '../start/start-bookings.js';
import { openLiveCache } from '../start/start-ingest.js';

/** Everything between a search for a room and a paid reservation, without the map. */
export const runBookings = (): Promise<void> =>
  runMeridian('bookings', async (context) => {
    const issuer = await tokenIssuer(context);
    const listeners = await openListeners(context, issuer);
    const events = await openLogAndCodecs(context);
    const live = await openLiveCache(context);
    const sql = await openBookingDatabase(context);
    listeners.serve({ routes: await startBookings(context, { events, live, sql }, listeners) });
  });
