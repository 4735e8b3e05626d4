import { AvailabilityCache } from '#hotel/availability-cache/availability-cache.js';
import { blockLimits } from '#hotel/blocks/limits.js';
import { releaseBlocks } from '#hotel/blocks/release-blocks.js';
import type { ReadPayments } from '#hotel/folio/read-folio.js';
import { Guests } from '#hotel/guests/guests.js';
import { CachedHotels } from '#hotel/hotels/cached-hotels.js';
import { PostgresHotels } from '#hotel/hotels/postgres-hotels.js';
import { hotelHttp } from '#hotel/http/hotel-http.js';
import { fillInventory } from '#hotel/inventory/fill-inventory.js';
import { hotelLimits } from '#hotel/limits.js';
import { hotelMigrations } from '#hotel/migrations.js';
import { OutboxRelay } from '#hotel/outbox/outbox-relay.js';
import { publishToLog } from '#hotel/outbox/publish-to-log.js';
import { type FollowPayment, PostgresReservations } from '#hotel/reservations/postgres-reservations.js';
import type { Reservations } from '#hotel/reservations/reservations.js';
import { Stays } from '#hotel/reservations/stays.js';
import { ChannelPublisher } from '#hotel/selling/publish-for-channels.js';
import { markNoShows } from '#hotel/staff/mark-no-shows.js';
import { Waitlist } from '#hotel/waitlist/waitlist.js';
import type { Route } from '#platform/http/http-types.js';
import type { LiveCache } from '#platform/live-cache/live-cache.js';
import type { Sql } from '#platform/sql/sql.js';
import { startHotelAvailability } from '#processors/hotel-availability/start-hotel-availability.js';
import { awaitPort, type Context, type LogAndCodecs } from '../context.js';
import { openDatabase } from '../open/open-database.js';
import { instanceId } from '../open/open-roads.js';
import { guestEnvelope } from './guest-envelope.js';

const expireEveryMs = 1_000;
const deltasEveryMs = 1_000;
const offerEveryMs = 2_000;
const noShowsEveryMs = 30_000;
/** The daily job can run at any time, so a program that starts late or runs for months misses no day. */
const fillEveryMs = 3_600_000;

/** The database with the tables of hotels. */
export const openHotelDatabase = (context: Context): Promise<Sql> =>
  awaitPort(
    context,
    'database',
    () => openDatabase(context.config, context.logger),
    (sql) => sql.migrate('hotel', hotelMigrations),
  );

export interface StartedHotel {
  readonly routes: readonly Route[];
  readonly reservations: Reservations;
}

/** Starts hotels; the routes are for the caller's listeners. Everything stops with the program. */
export async function startHotel(
  context: Context,
  parts: {
    readonly events: LogAndCodecs;
    readonly live: LiveCache;
    readonly sql: Sql;
    /** If payments are in the same database. */
    readonly hearMoney?: FollowPayment;
    readonly readPayments?: ReadPayments;
  },
): Promise<StartedHotel> {
  const { config, logger, metrics } = context;
  const { events, live, sql, hearMoney, readPayments } = parts;
  const cached = await CachedHotels.open({
    hotels: new PostgresHotels({ sql }),
    live,
    nowMs: () => performance.now(),
  });
  context.onStop('hotels in memory', () => cached.close());
  const guests = new Guests({ sql, envelope: await guestEnvelope(context) });
  const guard = config.INVENTORY_GUARD;
  const reservations = new PostgresReservations({
    sql,
    guard,
    ...(hearMoney === undefined ? {} : { hearMoney }),
  });
  context.onStop('reservations', () => reservations.close());

  const channels = new ChannelPublisher({
    ...{ sql, ...events },
    onError: (hotelId, error) => logger.warn('deltas for channels are tried again', { hotelId, error }),
  });
  const relay = new OutboxRelay({
    sql,
    publish: channels.after(publishToLog(events.log, events.codecs)),
    holder: instanceId,
    onError: (error) => logger.warn('hotel events wait for the event log', { error }),
  });
  relay.start();
  context.onStop('hotel outbox', () => relay.close());
  repeat(context, 'the deltas for channels', deltasEveryMs, async () => channels.wake());
  context.onStop('deltas for channels', () => channels.close());

  const availability = new AvailabilityCache(live, Date.now);
  const feeder = await startHotelAvailability({ ...events, live, availability, logger, metrics });
  context.onStop('hotel-availability', () => feeder.close());
  // Optional: without the cache, rooms are read from the database.
  feeder.ready.catch((error: unknown) =>
    logger.error('the availability cache receives no events', { error }),
  );

  repeat(context, 'the expiry of holds', expireEveryMs, async () => {
    while ((await reservations.expireHolds()) === hotelLimits.expireBatch) if (context.signal.aborted) return;
  });
  repeat(context, 'the release of group blocks', expireEveryMs, async () => {
    const release = () => sql.transaction((tx) => releaseBlocks(tx, new Date()));
    while ((await release()) === blockLimits.releaseBatch) if (context.signal.aborted) return;
  });
  const stays = new Stays({ sql, hearMoney: (id) => reservations.hearMoney(id) });
  repeat(context, 'the no-shows', noShowsEveryMs, async () => {
    const onError = (reservationId: string, error: unknown) =>
      logger.warn('a no-show was not marked and is tried again', { reservationId, error });
    await markNoShows({ sql, stays, now: () => new Date(), onError });
  });
  const offers = new PostgresReservations({
    sql,
    guard,
    holdSeconds: hotelLimits.offerSeconds,
    holdsPerUserMax: 1_000_000,
  });
  context.onStop('offers of the waitlist', () => offers.close());
  const waitlist = new Waitlist({ sql, offers });
  repeat(context, 'the offer of freed rooms', offerEveryMs, async () => {
    await waitlist.offerFreedRooms();
  });
  repeat(context, 'the daily job', fillEveryMs, async () => {
    const rows = await fillInventory(sql, { signal: context.signal });
    if (rows > 0) logger.info('added days of inventory', { rows });
  });
  const routes = hotelHttp({
    sql,
    hotels: cached.hotels,
    guests,
    reservations,
    ...(readPayments === undefined ? {} : { readPayments }),
    stays,
    waitlist,
    cache: availability,
    now: () => new Date(),
    bookingsPerUserMax: config.BOOKINGS_PER_USER,
    operatorListener: config.OPERATOR_LISTENER,
    refundsAlone: {
      ofPaymentMinor: BigInt(config.REFUND_SECOND_PERSON_ABOVE),
      inADayMinor: BigInt(config.REFUNDS_ALONE_IN_A_DAY),
    },
  });
  return { routes, reservations };
}

/**
 * Runs `work` periodically, never twice at once, until the program stops. A failure is logged; the next run
 * follows.
 */
function repeat(context: Context, name: string, everyMs: number, work: () => Promise<void>): void {
  let running: Promise<void> | undefined;
  const turn = () => {
    running ??= work()
      .catch((error: unknown) => context.logger.warn(`${name} failed and is retried`, { error }))
      .finally(() => {
        running = undefined;
      });
  };
  turn();
  const timer = setInterval(turn, everyMs).unref();
  context.onStop(name, async () => {
    clearInterval(timer);
    await running;
  });
}
