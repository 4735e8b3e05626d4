import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recount } from '#hotel/inventory/recount.js';
import { loadHotels } from '#hotel/load/load-hotels.js';
import { hotelMigrations } from '#hotel/migrations.js';
import type { ReservationStatus } from '#hotel/reservations/reservation.js';
import { addDays } from '#hotel/reservations/stay-days.js';
import { proveMoney } from '#payment/reconciliation/prove-money.js';
import type { RecordLine, SimulatedPayment } from '#payment-simulator/record.js';
import { type SpawnedPsp, spawnPsp } from '#payment-simulator/spawn-psp.js';
import { type DevelopmentIssuer, openDevelopmentIssuer } from '#platform/auth/development-issuer.js';
import { LmdbEventLog } from '#platform/event-log/lmdb-event-log.js';
import { openSql } from '#platform/sql/open-sql.js';
import type { Sql } from '#platform/sql/sql.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { openTopicCodecs } from '#platform/wire/topic-codecs.js';
import { proveBookings } from '#processors/booking/prove-bookings.js';
import type { BookingPaymentView } from '#schemas/http/bookings.js';
import type { ReservationView } from '#schemas/http/hotel-reservations.js';
import type { StayQuoteView } from '#schemas/http/hotel-stay-changes.js';
import { reservationChangeKind, reservationStatusNumber } from '#schemas/messages.js';
import { hotelInventoryChanged, reservationLifecycle } from '#schemas/topics.js';
import { proves } from '#tools/acceptance/proves.js';
import { browsePage } from '../browse-page.js';
import { eventually } from '../eventually.js';
import { freePort, type RunningProgram, startProgram } from '../main-job/running-platform.js';
import { providerSettings } from '../provider-settings.js';

/** More kills take longer: `BOOKING_KILLS=50 npx vitest run tests/booking/booking-kills.test.ts`. */
const kills = Number(process.env['BOOKING_KILLS'] ?? 2);
const guests = 6;
const apiKey = 'sk_booking';
const webhookSecret = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
const arrival = addDays(new Date().toISOString().slice(0, 10), 20);

let data: string;
let psp: SpawnedPsp;
let provider: Readonly<Record<string, string>>;
let sql: Sql;
let issuer: DevelopmentIssuer;
let ports: readonly [number, number];
let program: RunningProgram;

const start = async (): Promise<RunningProgram> =>
  startProgram('bookings', {
    data,
    ports,
    env: { ...provider, NODE_ENV: 'test' },
  });

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'meridian-booking-kills-'));
  ports = [await freePort(), await freePort()];
  [psp, sql] = await Promise.all([
    spawnPsp({
      folder: join(data, 'psp'),
      seed: 3,
      apiKey,
      webhookSecrets: [webhookSecret],
      webhookUrl: `http://127.0.0.1:${ports[0]}/v1/psp/webhooks`,
    }),
    openSql(`embedded:${join(data, 'sql')}`),
  ]);
  provider = await providerSettings(psp, data, apiKey, webhookSecret);
  await sql.migrate('hotel', hotelMigrations);
  await loadHotels(sql, { hotels: 3, roomTypes: 1, rooms: 40, days: 40 });
  issuer = await openDevelopmentIssuer({
    folder: join(data, 'dev-issuer'),
    issuer: 'meridian-development',
    audience: 'meridian',
    internalAudience: 'meridian-internal',
    production: false,
  });
  program = await start();
});
afterAll(async () => {
  await program?.stop();
  await psp?.close();
  await sql?.close();
  await rm(data, { recursive: true, force: true });
});

/** Like a client: repeats the same request until it gets an answer. */
const ask = async <View>(token: string, method: string, path: string, body?: object): Promise<View> =>
  eventually(
    async () => {
      const answer = await fetch(`http://127.0.0.1:${ports[0]}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(30_000),
      });
      if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
      return (await answer.json()) as View;
    },
    { everyMs: 50 },
  );

const typeCard = (page: string, number: string) => browsePage(page, psp.addresses.certificate, { number });

/**
 * Books, pays or is declined, sometimes pays for another night, and sometimes cancels; resolves when
 * everything has ended.
 */
async function bookOnce(n: number): Promise<void> {
  const token = await issuer.issueToken({ sub: `guest-${randomUUID()}`, scopes: ['customer'] });
  const reservationID = randomUUID();
  const path = `/v1/reservations/${reservationID}`;
  await ask(token, 'POST', '/v1/reservations', {
    reservationID,
    hotelID: `h0000${1 + (n % 3)}`,
    roomTypeID: 't01',
    startDate: addDays(arrival, n % 10),
    endDate: addDays(arrival, n % 10),
    roomCount: '1',
  });
  const until = <View extends { readonly status: string }>(at: string, ...wanted: readonly string[]) =>
    eventually(
      async () => {
        const view = await ask<View>(token, 'GET', at);
        if (!wanted.includes(view.status)) throw new Error(`${reservationID} is still ${view.status}`);
        return view;
      },
      { everyMs: 30 },
    );
  const { paymentPageURL } = await until<BookingPaymentView>(`${path}/payment`, 'open');
  const good = '4242424242424242';
  await typeCard(paymentPageURL!, n % 5 === 4 ? '4000000000000002' : good);
  if (n % 5 === 4) {
    const again = await eventually(
      async () => {
        const view = await until<BookingPaymentView>(`${path}/payment`, 'open');
        if (view.paymentPageURL === paymentPageURL)
          throw new Error(`${reservationID} waits for another card`);
        return view;
      },
      { everyMs: 30 },
    );
    expect(again.failureCode).toBe('card_declined');
    await typeCard(again.paymentPageURL!, good);
  }
  await until<ReservationView>(path, 'paid');
  if (n % 2 === 0) {
    const change = { endDate: addDays(arrival, (n % 10) + 1) };
    const { difference } = await ask<StayQuoteView>(token, 'POST', `${path}/stay/quote`, change);
    await ask(token, 'PUT', `${path}/stay`, { ...change, difference });
    const page = await eventually(
      async () => {
        const { supplement } = await ask<BookingPaymentView>(token, 'GET', `${path}/payment`);
        if (supplement?.paymentPageURL === undefined) throw new Error(`${reservationID}: no page yet`);
        return supplement.paymentPageURL;
      },
      { everyMs: 30 },
    );
    await typeCard(page, good);
    await eventually(
      async () => {
        const view = await ask<ReservationView>(token, 'GET', path);
        if (view.endDate !== change.endDate) throw new Error(`${reservationID} is not changed yet`);
        expect(view).toMatchObject({ status: 'paid', paid: view.price });
      },
      { everyMs: 30 },
    );
  }
  if (n % 3 === 0) {
    await ask(token, 'DELETE', path);
    await until<ReservationView>(path, 'refunded');
  }
}

proves('H-120', {
  asked: 'exactly one event id for each committed change; none is lost by kill -9',
  shown:
    'two kill -9 under guests: an id for each change of a day; the log rebuilds all; a copy is one event',
  proof: 'booking-kills',
  control: {
    in: 'hotel/outbox/publish-to-log.ts',
    change: 'if (counts.length > 0)',
    to: 'if (counts.length > 1)',
  },
});
test(`H-075, H-102, H-120: booked and paid through ${kills} kills: one charge each, paid when captured`, {
  timeout: 120_000 + kills * 60_000,
}, async () => {
  let going = true;
  let booked = 0;
  const working = Array.from({ length: guests }, async (_, guest) => {
    for (let n = guest; going; n += guests) {
      await bookOnce(n);
      booked += 1;
    }
  });
  const all = Promise.all(working);
  all.catch(() => {});
  for (let kill = 1; kill <= kills; kill += 1) {
    const before = booked;
    await Promise.race([all, eventually(() => expect(booked).toBeGreaterThan(before))]);
    await delay(100 + 37 * kill);
    await program.stop('SIGKILL');
    program = await start();
  }
  going = false;
  await all;
  expect(booked).toBeGreaterThan(kills);
  await eventually(
    async () => {
      expect(await recount(sql)).toMatchObject({ oversold: [], miscounted: [], lost: [] });
      expect(await proveBookings(sql)).toMatchObject({ unproven: [] });
      expect(await proveMoney(sql)).toMatchObject({ ledgerSum: 0n, unproven: 0n, walletsWrong: 0n });
    },
    { everyMs: 100 },
  );
  expect(await chargedTwice()).toEqual([]);
  await eventually(async () => {
    const { rows } = await sql.query('SELECT 1 FROM hotel_outbox LIMIT 1');
    expect(rows).toEqual([]);
  });
  await program.stop();
  await expectEveryEvent();
});

/**
 * From the provider's own record: payments that were charged more than once, and reservations and changes
 * that were charged more than once.
 */
async function chargedTwice(): Promise<readonly string[]> {
  const lines = (await (await fetch(`${psp.addresses.controlUrl}/record`)).json()) as readonly RecordLine[];
  const last = new Map<string, SimulatedPayment>();
  const twice: string[] = [];
  for (const line of lines) {
    if (line.kind !== 'payment') continue;
    const { nonce, status, capturedMs } = line.payment;
    const before = last.get(nonce);
    if (status === 'captured' && before?.status === 'captured' && before.capturedMs !== capturedMs)
      twice.push(nonce);
    last.set(nonce, line.payment);
  }
  const { rows } = await sql.query<{ payment_order_id: string; paid_for: string }>(
    "SELECT payment_order_id, reservation_id || ' ' || supplement_id AS paid_for FROM booking_payment",
  );
  const paid = rows
    .filter((row) => last.get(row.payment_order_id)?.status === 'captured')
    .map((row) => row.paid_for);
  return [...twice, ...paid.filter((id, at) => paid.indexOf(id) !== at)];
}

/** The log of the stopped program has each committed change, and nothing else. */
async function expectEveryEvent(): Promise<void> {
  const log = await LmdbEventLog.open({ folder: join(data, 'log') });
  const registry = await openSchemaRegistry(`embedded:${join(data, 'schemas')}`);
  const codecs = await openTopicCodecs(registry);
  const values = new Map<string, string>();
  const counts = new Map<
    string,
    { readonly id: number; readonly reserved: number; readonly changes: number }
  >();
  const states = new Map<string, { readonly id: number; readonly status: number }>();
  const created = new Map<string, Set<number>>();
  const read = async (topic: string, see: (value: Uint8Array, id: string) => void) => {
    for (const { partition } of await log.offsets(topic))
      for await (const { value, headers } of log.read(topic, partition, 0)) {
        const id = headers!['ce_id']!;
        const text = Buffer.from(value!).toString('base64');
        // A copy, as after a crash between the append and the deletion, is the same event.
        expect(values.get(id) ?? text).toBe(text);
        if (!values.has(id)) see(value!, id);
        values.set(id, text);
      }
  };
  await read(hotelInventoryChanged.name, (value) => {
    const {
      eventId: id,
      hotelId,
      roomTypeId,
      days,
      totalReserved,
    } = codecs.hotelInventoryChanged.decode(value);
    for (const [index, day] of days.entries()) {
      const place = `${hotelId}/${roomTypeId}/${day}`;
      expect(id, place).toBeGreaterThan(counts.get(place)?.id ?? 0);
      counts.set(place, {
        id,
        reserved: totalReserved[index]!,
        changes: (counts.get(place)?.changes ?? 0) + 1,
      });
    }
  });
  await read(reservationLifecycle.name, (value) => {
    const { eventId: id, reservationId, kind, status } = codecs.reservationLifecycle.decode(value);
    if (kind === reservationChangeKind.created)
      created.set(reservationId, (created.get(reservationId) ?? new Set()).add(id));
    expect(id, reservationId).toBeGreaterThan(states.get(reservationId)?.id ?? 0);
    states.set(reservationId, { id, status });
  });
  const inventory = await sql.query<{ place: string; total_reserved: number; version: number }>(
    `SELECT hotel_id || '/' || room_type_id || '/' || (date - DATE '1970-01-01') AS place, total_reserved,
       version FROM room_type_inventory`,
  );
  // The first event of a day is that of its row.
  for (const { place, total_reserved: reserved, version } of inventory.rows)
    expect([place, counts.get(place)]).toMatchObject([place, { reserved, changes: 1 + version }]);
  const reservations = await sql.query<{ reservation_id: string; status: ReservationStatus }>(
    'SELECT reservation_id, status FROM reservation',
  );
  for (const { reservation_id: id, status } of reservations.rows) {
    expect(states.get(id)?.status, id).toBe(reservationStatusNumber[status]);
    expect(created.get(id)?.size, id).toBe(1);
  }
  expect(states.size).toBe(reservations.rows.length);
  await registry.close();
  await log.close();
}
