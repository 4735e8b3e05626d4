import { AvailabilityCache } from '#hotel/availability-cache/availability-cache.js';
import type { ReadPayments } from '#hotel/folio/read-folio.js';
import { Guests } from '#hotel/guests/guests.js';
import { CachedHotels } from '#hotel/hotels/cached-hotels.js';
import { PostgresHotels } from '#hotel/hotels/postgres-hotels.js';
import { hotelHttp } from '#hotel/http/hotel-http.js';
import { routeByHotel } from '#hotel/http/route-by-hotel.js';
import { withinCallersTime } from '#hotel/http/within-callers-time.js';
import { hotelLimits } from '#hotel/limits.js';
import { hotelMigrations } from '#hotel/migrations.js';
import {
  type FollowPayment,
  PostgresReservations,
  type ReservationOptions,
} from '#hotel/reservations/postgres-reservations.js';
import type { Reservations } from '#hotel/reservations/reservations.js';
import { Stays } from '#hotel/reservations/stays.js';
import { home } from '#hotel/sharding/hotel-servers.js';
import { resumeMoves } from '#hotel/sharding/move-hotel.js';
import { Placement } from '#hotel/sharding/placement.js';
import { ShardedHotels } from '#hotel/sharding/sharded-hotels.js';
import { ShardedReservations } from '#hotel/sharding/sharded-reservations.js';
import { Waitlist } from '#hotel/waitlist/waitlist.js';
import type { Route } from '#platform/http/http-types.js';
import { waitFor } from '#platform/lifecycle/wait-for.js';
import type { LiveCache } from '#platform/live-cache/live-cache.js';
import { openMailer } from '#platform/mail/open-mailer.js';
import type { Sql } from '#platform/sql/sql.js';
import { startHotelAvailability } from '#processors/hotel-availability/start-hotel-availability.js';
import { awaitPort, type Context, type LogAndCodecs } from '../context.js';
import { openDatabase } from '../open/open-database.js';
import { closeHotelServers, openHotelServers } from '../open/open-hotel-servers.js';
import { webhookTargets } from '../plain-connections.js';
import { guestEnvelope } from './guest-envelope.js';
import { repeat, startHotelJobs } from './hotel-jobs.js';

const expireEveryMs = 1_000;
const resumeEveryMs = 5_000;

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

interface HotelParts {
  readonly events: LogAndCodecs;
  readonly live: LiveCache;
  readonly sql: Sql;
  /** If payments are in the same database. */
  readonly hearMoney?: FollowPayment;
  readonly readPayments?: ReadPayments;
}

/** Starts hotels; the routes are for the caller's listeners. Everything stops with the program. */
export async function startHotel(context: Context, parts: HotelParts): Promise<StartedHotel> {
  const { config, logger, metrics } = context;
  const { events, live, sql } = parts;
  const servers = await waitFor('hotel servers', () => openHotelServers(config, logger, sql), context);
  context.onStop('hotel servers', () => closeHotelServers(servers));
  const availability = new AvailabilityCache(live, Date.now);
  const feeder = await startHotelAvailability({ ...events, live, availability, logger, metrics });
  context.onStop('hotel-availability', () => feeder.close());
  // Optional: without the cache, rooms are read from the database.
  feeder.ready.catch((error: unknown) =>
    logger.error('the availability cache receives no events', { error }),
  );
  const envelope = await guestEnvelope(context);
  const placement = servers.size === 1 ? undefined : new Placement(sql);
  const storedHotels = new Map([...servers].map(([name, each]) => [name, new PostgresHotels({ sql: each })]));
  const cached = await CachedHotels.open({
    hotels: placement === undefined ? storedHotels.get(home)! : new ShardedHotels(placement, storedHotels),
    live,
    nowMs: () => performance.now(),
  });
  context.onStop('hotels in memory', () => cached.close());

  // Only with a mail server of the operator: files beside the data could not be erased for a guest.
  const mailer = config.MAIL === undefined ? undefined : await openMailer(config.MAIL, config.MAIL_FROM);
  if (mailer === undefined) logger.info('receipts are not mailed to guests: set MAIL and MAIL_FROM');
  else context.onStop('mail of receipts', () => mailer.close());

  const reserving = (options: Partial<ReservationOptions>): Reservations => {
    const each = new Map(
      [...servers].map(([name, database]) => {
        const of = { sql: database, guard: config.INVENTORY_GUARD, ...options };
        const isOneOfMany = placement !== undefined;
        const writers = Math.max(1, Math.floor(hotelLimits.writers / servers.size));
        return [name, new PostgresReservations({ ...of, ...(isOneOfMany ? { isOneOfMany, writers } : {}) })];
      }),
    );
    if (placement === undefined) return each.get(home)!;
    return new ShardedReservations(placement, each, sql, options.holdsPerUserMax);
  };
  const { hearMoney } = parts;
  const reservations = reserving(hearMoney === undefined ? {} : { hearMoney });
  context.onStop('reservations', () => reservations.close());
  repeat(context, 'the expiry of holds', expireEveryMs, async () => {
    while ((await reservations.expireHolds()) === hotelLimits.expireBatch) if (context.signal.aborted) return;
  });
  const offers = reserving({ holdSeconds: hotelLimits.offerSeconds, holdsPerUserMax: 1_000_000 });
  context.onStop('offers of the waitlist', () => offers.close());

  const receivers = webhookTargets();
  const routes = new Map<string, readonly Route[]>();
  for (const [name, database] of servers) {
    const everywhere = [...servers.values()];
    const waitlist = new Waitlist({ sql: database, everywhere, offers });
    const stays = new Stays({ sql: database, hearMoney: (id) => reservations.hearMoney(id) });
    const guests = new Guests({ sql: database, everywhere, envelope });
    const receipts = { guests, hotels: cached.hotels, mailer, reservations };
    startHotelJobs(context, events, { name, sql: database, stays, waitlist, receivers, receipts });
    routes.set(
      name,
      hotelHttp({
        sql: database,
        everywhere,
        hotels: cached.hotels,
        guests,
        reservations,
        ...paymentsFor(name, parts),
        stays,
        waitlist,
        cache: availability,
        now: () => new Date(),
        bookingsPerUserMax: config.BOOKINGS_PER_USER,
        mailsReceipts: mailer !== undefined,
        webhookTargets: receivers,
        operatorListener: config.OPERATOR_LISTENER,
        refundsAlone: {
          ofPaymentMinor: BigInt(config.REFUND_SECOND_PERSON_ABOVE),
          // Each server counts what it grants: together they grant no more than one.
          inADayMinor: BigInt(config.REFUNDS_ALONE_IN_A_DAY) / BigInt(servers.size),
        },
      }),
    );
  }
  if (placement === undefined) return { routes: withinCallersTime(routes.get(home)!), reservations };
  repeat(context, 'the move of a hotel', resumeEveryMs, async () => {
    await resumeMoves({ servers });
  });
  // Around the wait for a move too.
  return { routes: withinCallersTime(routeByHotel(placement, routes)), reservations };
}

/** Payments are beside the hotels of `home`; those of other servers read them there. */
function paymentsFor(
  name: string,
  { sql, readPayments }: HotelParts,
): { readonly readPayments?: ReadPayments } {
  if (readPayments === undefined) return {};
  return { readPayments: name === home ? readPayments : (_, reservation) => readPayments(sql, reservation) };
}
