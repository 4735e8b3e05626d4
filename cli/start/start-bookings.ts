import { hotelMigrations } from '#hotel/migrations.js';
import { paymentMigrations } from '#payment/migrations.js';
import type { Route } from '#platform/http/http-types.js';
import type { LiveCache } from '#platform/live-cache/live-cache.js';
import type { Sql } from '#platform/sql/sql.js';
import { queueGauges } from '#platform/telemetry/bounded-queue.js';
import { bookingRoutes } from '#processors/booking/booking-routes.js';
import { readPaymentLines } from '#processors/booking/folio-payments.js';
import { bookingMigrations } from '#processors/booking/migrations.js';
import { hearMoneyFrom } from '#processors/booking/note-money.js';
import { paymentPort } from '#processors/booking/payment-port.js';
import { startBooking } from '#processors/booking/start-booking.js';
import { awaitPort, type Context, type LogAndCodecs } from '../context.js';
import { refuseLongPages } from '../long-pages.js';
import { openDatabase } from '../open/open-database.js';
import type { ListenerUrls } from './serve.js';
import { startHotel } from './start-hotel.js';
import { startPayment } from './start-payment.js';

/** One database with the tables of hotels, payments and booking. */
export const openBookingDatabase = (context: Context): Promise<Sql> =>
  awaitPort(
    context,
    'database',
    () =>
      openDatabase(context.config, context.logger, {
        watchQueue: queueGauges(context.metrics),
      }),
    async (sql) => {
      await sql.migrate('hotel', hotelMigrations);
      await sql.migrate('payment', paymentMigrations);
      await sql.migrate('booking', bookingMigrations);
    },
  );

/** Hotels, payments, and the group that connects them; the routes are for the caller's listeners. */
export async function startBookings(
  context: Context,
  parts: { readonly events: LogAndCodecs; readonly live: LiveCache; readonly sql: Sql },
  urls: ListenerUrls & {
    /** The page to which the provider sends guests back, unless the settings have another one. */
    readonly returnUrl?: string;
  },
): Promise<readonly Route[]> {
  const { events, sql } = parts;
  const { logger, metrics } = context;
  refuseLongPages(context.config);
  const returnUrl = context.config.PAYMENT_RETURN_URL ?? urls.returnUrl;
  const config =
    returnUrl === undefined ? context.config : { ...context.config, PAYMENT_RETURN_URL: returnUrl };
  const payment = await startPayment({ ...context, config }, events, sql, urls);
  const hotel = await startHotel(context, {
    ...parts,
    hearMoney: hearMoneyFrom(sql),
    readPayments: readPaymentLines,
  });
  const deps = {
    sql,
    reservations: hotel.reservations,
    payments: paymentPort(payment.service),
    nowMs: Date.now,
  };
  const booking = await startBooking(deps, { ...events, logger, metrics });
  context.onStop('booking', () => booking.close());
  return [...hotel.routes, ...payment.routes, ...bookingRoutes(deps, payment.service)];
}
