import { Guests } from '#hotel/guests/guests.js';
import { PostgresHotels } from '#hotel/hotels/postgres-hotels.js';
import { reservationRoutes } from '#hotel/http/reservation-routes.js';
import type { Reservation } from '#hotel/reservations/reservation.js';
import { Envelope } from '#platform/encryption/envelope.js';
import { createHttpServer } from '#platform/http/server/http-server.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { plainTokens } from '../payment/orders-fixture.js';
import type { BookingRoom } from './booking-fixture.js';

/** The operations on reservations of a room, as its guests call them. */
export async function serveGuest({ orders, reservations }: BookingRoom) {
  const { sql } = orders;
  const server = createHttpServer({
    name: 'public',
    listener: 'public',
    routes: reservationRoutes({
      sql,
      reservations,
      hotels: new PostgresHotels({ sql }),
      guests: new Guests({ sql, envelope: new Envelope([Buffer.alloc(32, 7)]) }),
      bookingsPerUserMax: 100,
    }),
    authenticator: plainTokens,
    logger: silentLogger,
    metrics: createMetrics({ processMetrics: false }),
    limits: { turnBudgetMs: 10_000 },
  });
  const { port } = await server.listen(0);
  return {
    /** The bytes of `GET /v1/reservations/{id}`, and its status of the reservation. */
    async read({ reservationId, userId }: Reservation) {
      const answer = await fetch(`http://127.0.0.1:${port}/v1/reservations/${reservationId}`, {
        headers: { authorization: `Bearer customer.${userId}` },
      });
      const text = await answer.text();
      return { text, status: JSON.parse(text).status as string };
    },
    close: () => server.close(),
  };
}
