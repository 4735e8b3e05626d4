import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { recount } from '#hotel/inventory/recount.js';
import { type LoadSite, loadHotels } from '#hotel/load/load-hotels.js';
import { hotelMigrations } from '#hotel/migrations.js';
import { OutboxRelay } from '#hotel/outbox/outbox-relay.js';
import { publishToLog } from '#hotel/outbox/publish-to-log.js';
import { PostgresReservations } from '#hotel/reservations/postgres-reservations.js';
import type { Reservation, ReservationStatus } from '#hotel/reservations/reservation.js';
import type { Reservations, ReserveRequest } from '#hotel/reservations/reservations.js';
import { addDays } from '#hotel/reservations/stay-days.js';
import { becomeServers, type HotelServers } from '#hotel/sharding/hotel-servers.js';
import { Placement } from '#hotel/sharding/placement.js';
import { ShardedReservations } from '#hotel/sharding/sharded-reservations.js';
import { readOrder } from '#payment/orders/order.js';
import { proveMoney } from '#payment/reconciliation/prove-money.js';
import type { NewRecord } from '#platform/event-log/event-log.js';
import type { Sql } from '#platform/sql/sql.js';
import type { Processor } from '#platform/stream/start-processor.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import type { BookingDeps } from '#processors/booking/booking-deps.js';
import { type BookingPayment, newestPayment } from '#processors/booking/booking-payments.js';
import { bookingMigrations } from '#processors/booking/migrations.js';
import { hearMoneyFrom } from '#processors/booking/note-money.js';
import { paymentPort } from '#processors/booking/payment-port.js';
import { paymentStateOf } from '#processors/booking/payment-state.js';
import { proveBookings } from '#processors/booking/prove-bookings.js';
import { startBooking } from '#processors/booking/start-booking.js';
import type { UserId } from '#schemas/units.js';
import { consumerLag } from '../consumer-lag.js';
import { eventually } from '../eventually.js';
import { OrdersRoom, type RoomOptions } from '../payment/orders-fixture.js';
import { quick as short } from '../sharding/two-servers.js';

const staff = { staff: true } as const;
/**
 * The date in Malta, where the hotels of the loader are, and some days ahead, so that cancelling is free.
 */
export const arrival = addDays(new Date().toISOString().slice(0, 10), 20);

/**
 * Both packages on one embedded PostgreSQL and one embedded log, the consumer group between them, and the
 * provider as a separate process.
 */
export class BookingRoom {
  readonly orders: OrdersRoom;
  readonly reservations: Reservations;
  /** Of hotels; the first one has the payments. */
  readonly servers: HotelServers;
  /** While it is held, no consumer receives changes of payments. */
  readonly news: { held: boolean };
  readonly deps: BookingDeps;
  readonly #published: Array<readonly [string, readonly NewRecord[]]>;
  readonly #stop: () => Promise<void>;
  #group: Processor | undefined;

  private constructor(
    orders: OrdersRoom,
    deps: BookingDeps & { readonly reservations: Reservations },
    servers: HotelServers,
    published: Array<readonly [string, readonly NewRecord[]]>,
    news: { held: boolean },
    stop: () => Promise<void>,
  ) {
    this.orders = orders;
    this.deps = deps;
    this.reservations = deps.reservations;
    this.servers = servers;
    this.#published = published;
    this.news = news;
    this.#stop = stop;
  }

  /**
   * `hotels` hotels `h00001`, … of one room type `t01` with two rooms. `holdSeconds` is the expiry that hold
   * and registration share.
   */
  static async open({
    holdSeconds = 900,
    hotels = 12,
    sites,
    second,
    ...options
  }: RoomOptions & {
    readonly holdSeconds?: number;
    readonly hotels?: number;
    readonly sites?: readonly LoadSite[];
    /** The database of a second server of hotels, without hotels. */
    readonly second?: Sql;
  } = {}): Promise<BookingRoom> {
    const published: Array<readonly [string, readonly NewRecord[]]> = [];
    const news = { held: false };
    const orders = await OrdersRoom.open({
      ...options,
      onAppend: (records, topic) => {
        if (news.held) throw new Error('The log rejects payment events now.');
        published.push([topic, records]);
      },
    });
    const { sql, log, codecs, service } = orders;
    await sql.migrate('hotel', hotelMigrations);
    await sql.migrate('booking', bookingMigrations);
    const places = sites === undefined ? {} : { sites };
    await loadHotels(sql, { hotels, roomTypes: 1, rooms: 2, days: 60, ...places });
    const servers = new Map([['main', sql], ...(second === undefined ? [] : [['b', second] as const])]);
    if (second !== undefined) await becomeServers(servers);
    const each = [...servers].map(
      ([name, database]) =>
        [
          name,
          new PostgresReservations({
            ...{ sql: database, holdSeconds, holdsPerUserMax: 1_000, hearMoney: hearMoneyFrom(sql) },
            ...(second === undefined ? {} : { isOneOfMany: true }),
          }),
        ] as const,
    );
    const reservations: Reservations =
      second === undefined
        ? each[0]![1]
        : new ShardedReservations(new Placement(sql, short), new Map(each), sql, 1_000);
    const publish = publishToLog(
      {
        append: async (topic, records) => {
          published.push([topic, records]);
          return log.append(topic, records);
        },
      },
      codecs,
    );
    const relays = [...servers.values()].map(
      (database) => new OutboxRelay({ sql: database, publish, holder: 'test', pollMs: 10 }),
    );
    for (const relay of relays) relay.start();
    const deps = { sql, reservations, payments: paymentPort(service), nowMs: Date.now };
    const expiring = setInterval(() => void reservations.expireHolds().catch(() => {}), 50);
    const room = new BookingRoom(orders, deps, servers, published, news, async () => {
      clearInterval(expiring);
      await room.stopBooking();
      for (const relay of relays) await relay.close();
      await reservations.close();
      await orders.close();
    });
    await room.startBooking();
    return room;
  }

  /** Starts the consumer group `booking`, which continues where it stopped. */
  async startBooking(): Promise<void> {
    const { log, codecs, metrics } = this.orders;
    this.#group = await startBooking(this.deps, { log, codecs, metrics, logger: silentLogger });
  }

  async stopBooking(): Promise<void> {
    await this.#group?.close();
    this.#group = undefined;
  }

  close(): Promise<void> {
    return this.#stop();
  }

  /** What the guest sees of their payment. */
  async told({ reservationId }: Reservation) {
    const reservation = await this.reservations.get(reservationId, staff);
    const named = await newestPayment(this.deps.sql, { reservationId, supplementId: '' });
    const order = named && (await readOrder(this.deps.sql, named.paymentOrderId));
    return paymentStateOf(reservation!, named, order);
  }

  /** `holdSeconds` if this hold differs from the default. */
  async reserve(
    hotelId: string,
    given: Partial<ReserveRequest> = {},
    holdSeconds?: number,
  ): Promise<Reservation> {
    const own =
      holdSeconds === undefined ? undefined : new PostgresReservations({ sql: this.deps.sql, holdSeconds });
    const outcome = await (own ?? this.reservations).reserve({
      reservationId: randomUUID(),
      userId: 'ada' as UserId,
      hotelId,
      roomTypeId: 't01',
      startDate: arrival,
      endDate: addDays(arrival, 1),
      roomCount: 1,
      ...given,
    });
    await own?.close();
    if (outcome.kind !== 'reserved') throw new Error(`${outcome.kind} instead of reserved`);
    return outcome.reservation;
  }

  /** The payment order of a reservation, or of its supplement, once it is registered at the provider. */
  async registered(reservation: Reservation, after?: BookingPayment): Promise<BookingPayment> {
    const { reservationId, supplement } = reservation;
    return eventually(async () => {
      const paidFor = { reservationId, supplementId: supplement?.id ?? '' };
      const payment = await newestPayment(this.deps.sql, paidFor);
      if (payment === undefined || payment.paymentOrderId === after?.paymentOrderId)
        throw new Error('no request yet');
      const order = await this.#orderOf(payment);
      if (order.payment_page_url === null || order.payment_page_url === undefined)
        throw new Error(`no page yet: ${JSON.stringify(order)}`);
      return payment;
    });
  }

  /** `more`: further fields of the page, for example that the card is kept. */
  async typeCard(
    payment: BookingPayment,
    number?: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    await this.orders.typeCard(await this.#orderOf(payment), number, more);
  }

  /** As its guest sees it. */
  #orderOf({ paymentOrderId, userId }: BookingPayment) {
    return this.orders.get(paymentOrderId, `customer.${userId}`);
  }

  until({ reservationId }: Reservation, status: ReservationStatus): Promise<Reservation> {
    return eventually(async () => {
      const found = (await this.reservations.get(reservationId, staff))!;
      if (found.status !== status) throw new Error(`still ${found.status}`);
      return found;
    });
  }

  /** Operations of a payment order in the ledger, in the order of posting. */
  async ledgerOf({ paymentOrderId }: BookingPayment): Promise<readonly string[]> {
    const { rows } = await this.deps.sql.query(
      'SELECT operation FROM ledger_transfer WHERE subject = $1 AND leg = 0 ORDER BY batch_no',
      [paymentOrderId],
    );
    return rows.map((row) => row['operation'] as string);
  }

  /**
   * Everything that both packages have published so far goes into the log once more, as after a crash before
   * the commit.
   */
  async publishAgain(): Promise<void> {
    for (const [topic, records] of [...this.#published]) await this.orders.log.append(topic, records);
  }

  /** Keys, values and headers of everything that both packages have published, as text. */
  publishedBytes(): readonly string[] {
    return this.#published.flatMap(([, records]) =>
      records.flatMap(({ key, value, headers }) => [
        ...[String(key), Buffer.from(value ?? []).toString('utf8'), JSON.stringify(headers)],
      ]),
    );
  }

  /** The group has read everything. */
  async quiet(): Promise<void> {
    const { log } = this.orders;
    await eventually(async () => {
      for (const topic of ['reservation.lifecycle.v1', 'payment.order.lifecycle.v1'])
        expect(await consumerLag(log, 'booking', topic), topic).toBe(0);
    });
  }

  /** Checks counts and money, each by itself and against each other. */
  async prove(): Promise<void> {
    await eventually(async () => {
      const { sql } = this.deps;
      for (const server of this.servers.values())
        expect(await recount(server)).toMatchObject({ oversold: [], miscounted: [], lost: [] });
      const elsewhere = [...this.servers.values()].slice(1);
      const bookings = await sql.transaction((tx) => proveBookings(tx, elsewhere));
      expect(bookings).toMatchObject({ unproven: [] });
      expect(await proveMoney(sql)).toMatchObject({ ledgerSum: 0n, unproven: 0n, walletsWrong: 0n });
    });
  }
}
