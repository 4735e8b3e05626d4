import crypto, { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hotelMigrations } from '#hotel/migrations.js';
import { OutboxRelay as HotelRelay } from '#hotel/outbox/outbox-relay.js';
import { publishToLog } from '#hotel/outbox/publish-to-log.js';
import { PostgresReservations } from '#hotel/reservations/postgres-reservations.js';
import { alertOverdue, workOnDue } from '#payment/executor/due-work.js';
import { executeOrder } from '#payment/executor/execute-order.js';
import type { ExecutorDeps } from '#payment/executor/executor-deps.js';
import { passing } from '#payment/executor/fault-points.js';
import { paymentMigrations } from '#payment/migrations.js';
import { parseMoney } from '#payment/money/money.js';
import { bookInLedger, bookInWallet } from '#payment/orders/book-change.js';
import { requestRefund } from '#payment/orders/request-refund.js';
import { type Submission, submitPayment } from '#payment/orders/submit-payment.js';
import { OutboxRelay } from '#payment/outbox/relay.js';
import type { PaymentService } from '#payment/payment-service.js';
import { hostedPagePsp } from '#payment/psp/https-psp.js';
import { rulesRiskCheck } from '#payment/risk/risk-check.js';
import { paymentDefaults } from '#payment/settings.js';
import { advanceLagging } from '#payment/wallet/wallet.js';
import { receiveWebhook } from '#payment/webhooks/receive-webhook.js';
import type { EventLog } from '#platform/event-log/event-log.js';
import { openSql } from '#platform/sql/open-sql.js';
import type { Sql } from '#platform/sql/sql.js';
import type { Outcome } from '#platform/stream/outcome.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { openTopicCodecs, type TopicCodecs } from '#platform/wire/topic-codecs.js';
import { followPayments } from '#processors/booking/follow-payments.js';
import { followReservations } from '#processors/booking/follow-reservations.js';
import { bookingMigrations } from '#processors/booking/migrations.js';
import { paymentDesk } from '#processors/booking/payment-desk.js';
import type { PaymentOrderChanged } from '#schemas/messages.js';
import { paymentOrderLifecycle, reservationLifecycle } from '#schemas/topics.js';
import type { UserId } from '#schemas/units.js';
import { judgeCity } from './judge-city.js';
import { MortalSql } from './mortal-sql.js';
import { SimulatedLog } from './simulated-log.js';
import { fairWeather, type SignedDelivery, SimulatedProvider, type Weather } from './simulated-provider.js';
import { seededRandom, VirtualClock } from './virtual-clock.js';

export interface CityOptions {
  readonly seed: number;
  /** Virtual hours in which people book and pay and things go wrong; a quiet one follows. */
  readonly hours: number;
  readonly guests: number;
  readonly buyers: number;
}

export interface CityReport {
  readonly seed: number;
  /** What does not hold, as sentences; empty when everything does. */
  readonly broken: readonly string[];
  /** Of all that the provider did and all that was told, in order: the same for the same seed. */
  readonly digest: string;
  readonly virtualS: number;
  readonly wallS: number;
  readonly counts: Readonly<Record<string, number>>;
}

const startMs = Date.parse('2027-06-01T12:00:00Z');
const secret = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
const storm: Weather = {
  lostReplies: 0.05,
  lostRequests: 0.03,
  busy: 0.03,
  slow: 0.03,
  lostWebhooks: 0.1,
  copiedWebhooks: 0.1,
  lateWebhooks: 0.1,
  forgedWebhooks: 0.1,
  kills: 0.02,
  databaseAway: 0.002,
  redelivered: 0.05,
};
const quietMs = 3_600_000;
const tickMsMin = 500;
const tickMsMax = 20_000;
/** Every so many ticks. */
const alertEvery = 30;

/**
 * Guests book and shops sell, in virtual time and under one seed: the product's own hotel, booking, payment, executor, ledger and relays, on a
 * real PostgreSQL over one connection, with the provider's books, the network, the log and the clock in memory. Processes die between
 * any two statements, replies and webhooks are lost, copied, late and forged, records come again. Afterwards the weather is fair, and
 * everything is held against everything.
 */
export async function simulateCity(options: CityOptions): Promise<CityReport> {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-simulation-'));
  const before = crypto.randomUUID;
  const random = seededRandom(options.seed);
  const uuid = seededRandom(options.seed ^ 0x5eed);
  // Ids are drawn deep inside the product; they must follow the seed too.
  crypto.randomUUID = () => seededUuid(uuid);
  syncBuiltinESMExports();
  const sql = await openSql(`embedded:${folder}/sql`, { connectionsMax: 1, random });
  try {
    await sql.migrate('hotel', hotelMigrations);
    await sql.migrate('payment', paymentMigrations);
    await sql.migrate('booking', bookingMigrations);
    const registry = await openSchemaRegistry(`embedded:${folder}/schemas`);
    const codecs = await openTopicCodecs(registry);
    const city = new City(options, sql, codecs, random);
    const startedAt = performance.now();
    await city.live();
    const wallS = (performance.now() - startedAt) / 1_000;
    const report = await city.report(wallS);
    await registry.close();
    return report;
  } finally {
    crypto.randomUUID = before;
    syncBuiltinESMExports();
    await sql.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function seededUuid(random: () => number): `${string}-${string}-${string}-${string}-${string}` {
  const hex = (length: number) =>
    Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
}

/** One process: everything that dies with it. */
interface Incarnation {
  readonly sql: MortalSql;
  readonly deps: ExecutorDeps;
  readonly service: PaymentService;
  readonly reservations: PostgresReservations;
  readonly jobs: readonly (() => Promise<unknown>)[];
}

class City {
  readonly #options: CityOptions;
  readonly #sql: Sql;
  readonly #codecs: TopicCodecs;
  readonly #random: () => number;
  readonly #clock = new VirtualClock(startMs);
  readonly #weather: Weather = { ...storm };
  readonly #log = new SimulatedLog();
  readonly #provider: SimulatedProvider;
  readonly #accepted = new Set<string>();
  readonly #counts: Record<string, number> = { kills: 0, reserved: 0, refused: 0, deadLetters: 0 };
  #process!: Incarnation;
  #awayUntilMs = 0;
  #activeMs = startMs;
  #forgedTaken = 0;
  #ticks = 0;

  constructor(options: CityOptions, sql: Sql, codecs: TopicCodecs, random: () => number) {
    this.#options = options;
    this.#sql = sql;
    this.#codecs = codecs;
    this.#random = random;
    this.#provider = new SimulatedProvider({
      clock: this.#clock,
      random,
      weather: this.#weather,
      secret,
      deliver: (delivery) => this.#webhook(delivery),
    });
  }

  async live(): Promise<void> {
    const { hours, guests, buyers } = this.#options;
    await this.#openHotel();
    this.#process = this.#born();
    this.#tick();
    const spanMs = hours * 3_600_000;
    for (let guest = 0; guest < guests; guest += 1)
      this.#clock.at(this.#random() * spanMs, () => void this.#guest(guest).catch(() => {}));
    for (let buyer = 0; buyer < buyers; buyer += 1)
      this.#clock.at(this.#random() * spanMs, () => void this.#buyer(buyer).catch(() => {}));
    await this.#clock.runUntil(startMs + spanMs);
    Object.assign(this.#weather, fairWeather);
    await this.#clock.runUntil(startMs + spanMs + quietMs);
  }

  async report(wallS: number): Promise<CityReport> {
    const broken = await judgeCity(this.#sql, {
      record: this.#provider.record.lines,
      accepted: this.#accepted,
      told: this.#log.records(paymentOrderLifecycle.name).map(({ eventId }) => eventId),
      forgedTaken: this.#forgedTaken,
      nowMs: this.#clock.nowMs,
    });
    const digest = createHash('sha256');
    for (const line of this.#provider.record.lines) digest.update(JSON.stringify(line));
    for (const { eventId } of this.#log.records(paymentOrderLifecycle.name)) digest.update(eventId);
    const virtualS = (this.#clock.nowMs - startMs) / 1_000;
    return {
      seed: this.#options.seed,
      broken,
      digest: digest.digest('hex'),
      virtualS,
      wallS,
      counts: { ...this.#counts, accepted: this.#accepted.size, calls: this.#provider.calls },
    };
  }

  async #openHotel(): Promise<void> {
    const days = 5;
    await this.#sql.query(
      `INSERT INTO hotel (hotel_id, name, address, lat, lng, time_zone, currency)
       VALUES ('opera', 'Opera', 'Kungsgatan 1', 57.7, 11.97, 'Europe/Stockholm', 'EUR')`,
    );
    await this.#sql.query(
      `INSERT INTO room_type (hotel_id, room_type_id, name) VALUES ('opera', 'double', 'Double')`,
    );
    await this.#sql.query(
      `INSERT INTO room_type_inventory (hotel_id, room_type_id, date, total_inventory)
       SELECT 'opera', 'double', '2027-07-01'::date + d, 6 FROM generate_series(0, $1 - 1) d`,
      [days],
    );
    await this.#sql.query(
      `INSERT INTO room_type_rate (hotel_id, room_type_id, date, price_minor)
       SELECT 'opera', 'double', '2027-07-01'::date + d, 10000 FROM generate_series(0, $1 - 1) d`,
      [days],
    );
  }

  #born(): Incarnation {
    const sql = new MortalSql(this.#sql, this.#clock, () => this.#clock.nowMs < this.#awayUntilMs);
    sql.onDeath = () => this.#dies();
    const nowMs = () => this.#clock.nowMs;
    const settings = {
      ...paymentDefaults,
      leaseMs: 10_000,
      registrationMs: 15 * 60_000,
      relayLeaseMs: 3_000,
      reviewAfterEventsPerHour: 1_000_000,
      blockAfterEventsPerHour: 2_000_000,
    };
    const psp = hostedPagePsp(this.#provider.https(), {
      success: 'https://shop.invalid',
      failure: 'https://shop.invalid',
    });
    const deps: ExecutorDeps = {
      sql,
      psp,
      settings,
      logger: silentLogger,
      metrics: createMetrics({ processMetrics: false }),
      nowMs,
      random: this.#random,
      reach: passing,
    };
    const service: PaymentService = {
      sql,
      submit: { sql, settings, risk: rulesRiskCheck(sql, settings), nowMs, reach: passing },
      webhooks: { ...deps, secrets: [secret] },
      execute: (id) => executeOrder(deps, id).catch(() => {}),
      askNow: () => Promise.resolve(),
      wake: () => {},
      close: () => Promise.resolve(),
    };
    const reservations = new PostgresReservations({
      sql,
      now: () => new Date(nowMs()),
      random: this.#random,
    });
    const log = this.#log as unknown as EventLog;
    const relay = new OutboxRelay({
      sql,
      log,
      codecs: this.#codecs,
      nowMs,
      reach: passing,
      leaseMs: settings.relayLeaseMs,
    });
    const hotelRelay = new HotelRelay({ sql, holder: 'city', publish: publishToLog(log, this.#codecs) });
    const booking = { sql, reservations, payments: paymentDesk(service), nowMs };
    const { paymentOrderLifecycle: payments, reservationLifecycle: stays } = this.#codecs;
    return {
      sql,
      deps,
      service,
      reservations,
      jobs: [
        () => workOnDue(deps),
        () => advanceLagging(sql),
        () => relay.round(),
        () => hotelRelay.relayOnce(),
        () => reservations.expireHolds(),
        () => this.#group('ledger', payments, (changes) => this.#inLedger(sql, changes)),
        () => this.#group('wallet', payments, (changes) => this.#inWallet(sql, changes)),
        () =>
          this.#group('booking', payments, async (changes) =>
            this.#outcomes(await followPayments(booking, changes)),
          ),
        () =>
          this.#group('booking', stays, async (events) =>
            this.#outcomes(await followReservations(booking, events)),
          ),
      ],
    };
  }

  /** All jobs at once, as the loops of a process have them; seldom when nobody has done anything for a while. */
  #tick(): void {
    const { jobs, sql } = this.#process;
    const { kills, databaseAway, redelivered } = this.#weather;
    if (this.#random() < kills) sql.diesIn = 1 + Math.floor(this.#random() * 40);
    if (this.#random() < databaseAway) this.#awayUntilMs = this.#clock.nowMs + 20_000;
    if (this.#random() < redelivered)
      for (const group of ['ledger', 'wallet', 'booking'])
        this.#log.move(group, paymentOrderLifecycle.name, -Math.floor(this.#random() * 5));
    if (this.#random() < redelivered) this.#log.move('booking', reservationLifecycle.name, -2);
    for (const job of jobs) job().catch(() => {});
    this.#ticks += 1;
    if (this.#ticks % alertEvery === 0) alertOverdue(this.#process.deps).catch(() => {});
    const calmMs = this.#clock.nowMs - this.#activeMs;
    this.#clock.at(Math.min(tickMsMax, Math.max(tickMsMin, calmMs / 4)), () => this.#tick());
  }

  #dies(): void {
    this.#counts['kills']! += 1;
    this.#process = this.#born();
  }

  async #group<Message>(
    name: string,
    codec: {
      readonly topic: { readonly name: string };
      decode(value: Uint8Array): Promise<Message> | Message;
    },
    step: (messages: readonly Message[]) => Promise<number>,
  ): Promise<void> {
    const records = this.#log.next(name, codec.topic.name, 20);
    if (records.length === 0) return;
    this.#activeMs = this.#clock.nowMs;
    const messages: Message[] = [];
    for (const { value } of records) messages.push(await codec.decode(value));
    this.#log.move(name, codec.topic.name, await step(messages));
  }

  async #inLedger(sql: Sql, changes: readonly PaymentOrderChanged[]): Promise<number> {
    const booked = await sql.transaction((tx) => bookInLedger(tx, changes, this.#clock.nowMs));
    if (!booked.some(({ kind }) => kind === 'refused')) return changes.length;
    this.#counts['deadLetters']! += 1;
    for (const change of changes)
      await sql.transaction((tx) => bookInLedger(tx, [change], this.#clock.nowMs));
    return changes.length;
  }

  /** What the ledger does not have yet stops the group there. */
  async #inWallet(sql: Sql, changes: readonly PaymentOrderChanged[]): Promise<number> {
    const booked = await sql.transaction((tx) => bookInWallet(tx, changes, this.#clock.nowMs));
    const first = booked.findIndex(({ kind }) => kind === 'not yet');
    return first === -1 ? changes.length : first;
  }

  #outcomes(outcomes: readonly Outcome[]): number {
    this.#counts['deadLetters']! += outcomes.filter(({ kind }) => kind === 'deadLetter').length;
    return outcomes.length;
  }

  async #webhook({ id, timestamp, signature, body }: SignedDelivery): Promise<boolean> {
    this.#activeMs = this.#clock.nowMs;
    const { outcome } = await receiveWebhook(this.#process.service.webhooks, {
      id,
      timestamp,
      signature,
      body,
    });
    if (id.endsWith('_forged') && outcome === 'recorded') this.#forgedTaken += 1;
    return outcome === 'recorded' || outcome === 'repeated';
  }

  /** Asks until there is an answer, as apps do. */
  async #insist<Answer>(ask: (process: Incarnation) => Promise<Answer>): Promise<Answer> {
    for (;;) {
      this.#activeMs = this.#clock.nowMs;
      const process = this.#process;
      const answer = await Promise.race([
        ask(process).then(
          (value) => ({ value }),
          () => undefined,
        ),
        this.#clock.delay(8_000),
      ]);
      if (answer !== undefined) return answer.value;
      await this.#clock.delay(500 + this.#random() * 2_000);
    }
  }

  async #guest(number: number): Promise<void> {
    const reservationId = `stay-${number}`;
    const userId = `guest-${number}` as UserId;
    const first = Math.floor(this.#random() * 4);
    const outcome = await this.#insist(({ reservations }) =>
      reservations.reserve({
        reservationId,
        userId,
        hotelId: 'opera',
        roomTypeId: 'double',
        startDate: `2027-07-0${first + 1}`,
        endDate: `2027-07-0${first + 1 + Math.floor(this.#random() * (5 - first))}`,
        roomCount: 1 + Math.floor(this.#random() * 2),
      }),
    );
    if (outcome.kind !== 'reserved' && outcome.kind !== 'repeated') {
      this.#counts['refused']! += 1;
      return;
    }
    this.#counts['reserved']! += 1;
    await this.#clock.delay(20_000 + this.#random() * 120_000);
    const { rows } = await this.#clock.during(
      this.#sql.query<{ id: string }>(
        'SELECT payment_order_id AS id FROM booking_payment WHERE reservation_id = $1',
        [reservationId],
      ),
    );
    for (const { id } of rows) {
      this.#accepted.add(id);
      await this.#pays(id);
    }
    if (this.#random() < 0.4) {
      await this.#clock.delay(this.#random() * 3_600_000);
      await this.#insist(({ reservations }) => reservations.cancel(reservationId, { userId }));
    }
  }

  async #buyer(number: number): Promise<void> {
    const count = 1 + Math.floor(this.#random() * 3);
    const orders = Array.from({ length: count }, (_, order) => {
      const amount = `${1 + Math.floor(this.#random() * 200)}.${10 + Math.floor(this.#random() * 90)}`;
      const parsed = parseMoney(amount, 'EUR');
      if (parsed.kind === 'refused') throw new Error(parsed.reason);
      const seller = `DE${Math.floor(this.#random() * 5)}`;
      return { id: `order-${number}-${order}`, sellerAccount: seller, amount, money: parsed.money };
    });
    const submission: Submission = {
      caller: `buyer-${number}`,
      key: `key-${number}`,
      fingerprint: Buffer.from(`body-${number}`),
      checkoutId: `checkout-${number}`,
      buyerAccount: `buyer-${number}`,
      buyerInfo: '{}',
      cardInfo: '{}',
      orders,
    };
    const submit = () =>
      this.#insist(async ({ service }) => {
        const outcome = await submitPayment(service.submit, submission);
        if (outcome.outcome === 'accepted') for (const { id } of orders) void service.execute(id);
        return outcome;
      });
    const copies = this.#random() < 0.1 ? [submit(), submit()] : [submit()];
    for (const { outcome } of await Promise.all(copies)) if (outcome === 'taken') throw new Error('taken');
    for (const { id } of orders) this.#accepted.add(id);
    await this.#clock.delay(5_000 + this.#random() * 60_000);
    for (const { id } of orders) await this.#pays(id);
    if (this.#random() < 0.2) await this.#refund(orders[0]!.id, number);
  }

  /** What the buyer does on the page of the provider, once it is there: mostly he pays. */
  async #pays(nonce: string): Promise<void> {
    for (let look = 0; look < 20 && this.#provider.book.payments.get(nonce) === undefined; look += 1)
      await this.#clock.delay(5_000);
    if (this.#provider.book.payments.get(nonce) === undefined) return;
    this.#activeMs = this.#clock.nowMs;
    const luck = this.#random();
    const { book } = this.#provider;
    if (luck < 0.7) book.pay(nonce, { result: 'captured' }, undefined, 'page');
    else if (luck < 0.8) book.pay(nonce, { result: 'declined', code: 'card_declined' }, undefined, 'page');
    else if (luck < 0.92) {
      book.pay(nonce, { result: 'processing' }, undefined, 'page');
      // Sometimes the bank answers after everything is over.
      await this.#clock.delay(this.#random() * 25 * 60_000);
      this.#provider.bankAnswers(nonce, this.#random() < 0.8 ? 'captured' : 'declined');
    }
  }

  async #refund(paymentOrderId: string, number: number): Promise<void> {
    await this.#clock.delay(60_000 + this.#random() * 600_000);
    await this.#insist(({ sql }) =>
      requestRefund(
        sql,
        {
          caller: `buyer-${number}`,
          key: `refund-${number}`,
          fingerprint: Buffer.from('r'),
          paymentOrderId,
          refundId: `refund-${number}`,
          amount: this.#random() < 0.5 ? undefined : '1.00',
          reason: 'did not fit',
        },
        this.#clock.nowMs,
      ),
    );
  }
}
