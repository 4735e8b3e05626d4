import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { Guests } from '#hotel/guests/guests.js';
import { PostgresHotels } from '#hotel/hotels/postgres-hotels.js';
import { blockRoutes } from '#hotel/http/block-routes.js';
import { deskRoutes } from '#hotel/http/desk-routes.js';
import { guestRoutes } from '#hotel/http/guest-routes.js';
import { hotelRoutes } from '#hotel/http/hotel-routes.js';
import { housekeepingRoutes } from '#hotel/http/housekeeping-routes.js';
import { staffRoutes } from '#hotel/http/staff-routes.js';
import { withinProperties } from '#hotel/http/within-properties.js';
import type { Reservation } from '#hotel/reservations/reservation.js';
import { Stays } from '#hotel/reservations/stays.js';
import { reconcileSettlement } from '#payment/reconciliation/reconcile.js';
import { paymentDefaults } from '#payment/settings/settings.js';
import { Envelope } from '#platform/encryption/envelope.js';
import { createHttpServer } from '#platform/http/server/http-server.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import type { BookingPayment } from '#processors/booking/booking-payments.js';
import type { Finding } from '#schemas/http/finance.js';
import { calmDay } from '../calm-day.js';
import { plainTokens } from '../payment/orders-fixture.js';
import { fileOf } from '../payment/settlement-order.js';
import { BookingRoom } from './booking-fixture.js';

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of many operations
  readonly body: any;
}

/** Sellers who are no accomplices. */
export const honest = 'DE02100100100006820201';

/**
 * Both packages, with money to steal: two charges of an honest seller, one of a seller who helps the thief, a
 * paid reservation, and requests of honest people that wait for a second person. All limits are defaults.
 */
export class AttackedDesk {
  readonly room: BookingRoom;
  readonly small: string;
  readonly large: string;
  /** Those of `small` and of the accomplice, and that of `large`, which waits for a second person. */
  readonly findings: { readonly honest: Finding; readonly mallory: Finding; readonly large: Finding };
  readonly waiting: { readonly decision: number; readonly payout: string; readonly refund: string };
  readonly booked: { readonly reservation: Reservation; readonly payment: BookingPayment };
  readonly #hotel: { readonly url: string; readonly close: () => void };

  private constructor(
    parts: Pick<AttackedDesk, 'room' | 'small' | 'large' | 'findings' | 'waiting' | 'booked'> & {
      readonly hotel: { readonly url: string; readonly close: () => void };
    },
  ) {
    this.room = parts.room;
    this.small = parts.small;
    this.large = parts.large;
    this.findings = parts.findings;
    this.waiting = parts.waiting;
    this.booked = parts.booked;
    this.#hotel = parts.hotel;
  }

  static async open(): Promise<AttackedDesk> {
    const room = await BookingRoom.open({ hotels: 4 });
    const hotel = await serveStaff(room);
    const small = await charge(room, honest, '40.00');
    const large = await charge(room, honest, '3000.00');
    const bait = await charge(room, 'MALLORY', '40.00');
    const made = await room.reserve('h00001');
    const payment = await room.registered(made);
    await room.typeCard(payment);
    const booked = { reservation: await room.until(made, 'paid'), payment };

    // The provider settles nothing today, so there is a finding for each charge.
    const day = await calmDay();
    const bytes = Readable.from([fileOf('nothing', new Date(`${day}T00:00:00Z`), [])]);
    await reconcileSettlement(room.orders.sql, { source: 'nothing.txt', bytes, now: new Date() });
    const call = callOf(room.orders.internalUrl);
    const { findings } = (await call('finance.ann', 'GET', '/v1/finance/findings')).body;
    const about = (id: string): Finding => findings.find((one: Finding) => one.payment_order_id === id);

    // Ann's own, on another finding: each attacker may decide on those of the two charges.
    const decided = await call(
      'finance.ann',
      'POST',
      `/v1/finance/findings/${about(large).finding_no}/decisions`,
      {
        why: 'lost at the provider',
        entry: entry({ credit: `seller:${honest}:EUR`, amount: '3000.00' }),
      },
    );
    const payout = randomUUID();
    await call('payouts.ann', 'POST', '/v1/payouts', payoutOf('1.00', { payout_id: payout }));
    const refund = randomUUID();
    await call('desk.ann', 'POST', `/v1/payments/${large}/refunds`, {
      refund_id: refund,
      amount: '1500.00',
    });
    return new AttackedDesk({
      room,
      small,
      large,
      booked,
      hotel,
      findings: { honest: about(small), mallory: about(bait), large: about(large) },
      waiting: { decision: decided.body.decision_no, payout, refund },
    });
  }

  async close(): Promise<void> {
    this.#hotel.close();
    await this.room.close();
  }

  /** On the internal listener of payments. */
  call(who: string, method: 'GET' | 'POST', path: string, body?: object, key?: string): Promise<Answer> {
    return callOf(this.room.orders.internalUrl)(who, method, path, body, key);
  }

  /** On the internal listener of hotels. */
  hotel(who: string, method: string, path: string, body?: object): Promise<Answer> {
    return callOf(this.#hotel.url)(who, method, path, body);
  }

  /**
   * What anybody but a payer could gain from: balances of sellers, of our bank and of commission, in the
   * ledger; and what left at the provider.
   */
  async money() {
    const { rows } = await this.room.orders.sql.query<{ readonly id: string; readonly balance: bigint }>(
      `SELECT id, balance FROM ledger_trial_balance
       WHERE balance <> 0 AND (id LIKE 'seller:%' OR id LIKE 'cash-bank:%' OR id LIKE 'commission:%')
       ORDER BY id COLLATE "C"`,
    );
    const record = await this.room.orders.record();
    return {
      balances: Object.fromEntries(rows.map(({ id, balance }) => [id, balance])),
      left: record.filter(({ kind }) => kind === 'payout' || kind === 'refund'),
    };
  }
}

export const entry = (over: object = {}) => ({
  debit: 'differences:EUR',
  credit: 'seller:MALLORY:EUR',
  amount: '40.00',
  currency: 'EUR',
  ...over,
});

export const payoutOf = (amount: string, over: object = {}) => ({
  payout_id: randomUUID(),
  seller_info: { account: 'MALLORY' },
  amount,
  currency: 'EUR',
  reason: 'early',
  ...over,
});

/** Captured and in the ledger, of `amount`. */
export async function charge(room: BookingRoom, seller: string, amount: string): Promise<string> {
  const order = await room.orders.pay({ seller_account: seller, amount });
  await room.orders.typeCard(order);
  await room.orders.settled(order.payment_order_id);
  return order.payment_order_id;
}

/** Operations of a listener at `base`, by `who` as a token. */
export const callOf =
  (base: string) =>
  async (
    who: string,
    method: string,
    path: string,
    body?: object,
    key = randomUUID() as string,
  ): Promise<Answer> => {
    const response = await fetch(base + path, {
      method,
      headers: {
        authorization: `Bearer ${who}`,
        'idempotency-key': key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };

/** The internal listener of hotels. */
export async function serveStaff({ orders, reservations }: BookingRoom) {
  const { sql } = orders;
  const guests = new Guests({ sql, envelope: new Envelope([Buffer.alloc(32, 7)]) });
  const hotels = new PostgresHotels({ sql });
  const server = createHttpServer({
    name: 'internal',
    listener: 'internal',
    routes: withinProperties(
      [
        ...hotelRoutes(hotels),
        ...staffRoutes({
          sql,
          hotels,
          reservations,
          now: () => new Date(),
          refundsAlone: {
            ofPaymentMinor: paymentDefaults.refundSecondPersonAboveMinor,
            inADayMinor: paymentDefaults.refundsAloneInADayMinor,
          },
        }),
        ...blockRoutes({ sql, hotels, now: () => new Date() }),
        ...housekeepingRoutes({ sql, hotels, now: () => new Date() }),
        ...guestRoutes({ sql, reservations, guests, now: () => new Date(), bookingsPerUserMax: 100 }),
        ...deskRoutes({ sql, stays: new Stays({ sql }), now: () => new Date() }),
      ],
      reservations,
    ),
    authenticator: plainTokens,
    logger: silentLogger,
    metrics: createMetrics({ processMetrics: false }),
    limits: { turnBudgetMs: 10_000 },
  });
  const { port } = await server.listen(0);
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}
