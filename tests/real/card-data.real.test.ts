import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '#hotel/reservations/stay-days.js';
import { openLocationStore } from '#platform/location-store/open-location-store.js';
import type { BookingPaymentView } from '#schemas/http/bookings.js';
import type { ReservationView } from '#schemas/http/hotel-reservations.js';
import type { SavedCardBody } from '#schemas/http/saved-cards.js';
import type { UserId } from '#schemas/units.js';
import { proves } from '#tools/acceptance/proves.js';
import { browsePage, certificateIn } from '../browse-page.js';
import { writtenNumber } from '../card-data-left.js';
import { required } from '../contracts/required-variable.js';
import { eventually } from '../eventually.js';
import { meridian, type RunningPlatform, startPlatform } from '../main-job/running-platform.js';
import {
  filesBelow,
  kafka,
  latin1,
  openCassandra,
  openObjects,
  type Read,
  readCache,
  readLocations,
  readObjects,
  readTables,
  readTopics,
} from './server-contents.js';

/** What guests type on the page of the provider; no program of ours may ever store it. */
const cards = { good: '4242424242424242', declined: '4000000000000002', other: '5555555555554444' } as const;
const inAField = '4242 4242 4242 4242';
const traces = Object.values(cards).map((number) => writtenNumber(number));
const arrival = addDays(new Date().toISOString().slice(0, 10), 30);

let folder: string;
let platform: RunningPlatform;
let token: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-card-data-'));
  const size = ['--hotels', '1', '--room-types', '1', '--rooms', '20', '--days', '60'];
  const { code, stderr } = await meridian(['hotel', 'load', ...size], { MERIDIAN_DATA: folder });
  expect(code, stderr).toBe(0);
  platform = await startPlatform(folder, ['--drivers', '0']);
  token = await platform.token(`guest-${randomUUID()}`, 'customer');
}, 300_000);
afterAll(async () => {
  await platform?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function ask<View>(method: string, path: string, body?: object) {
  const answer = await fetch(platform.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, view: (text === '' ? undefined : JSON.parse(text)) as View };
}

const typeCard = async (page: string, number: string, more: Readonly<Record<string, string>> = {}) =>
  browsePage(page, await certificateIn(folder), { number, expiry: '12/30', cvc: '123', ...more });

async function reserve(hotelID: string, night: number, choose?: (path: string) => Promise<unknown>) {
  const reservationID = randomUUID();
  const path = `/v1/reservations/${reservationID}`;
  await choose?.(`${path}/payment`);
  const { view: hotel } = await ask<{ roomTypes: readonly { roomTypeID: string }[] }>(
    'GET',
    `/v1/hotels/${hotelID}`,
  );
  const { status, view } = await ask('POST', '/v1/reservations', {
    ...{ reservationID, hotelID, roomTypeID: hotel.roomTypes[0]!.roomTypeID, roomCount: '1' },
    ...{ startDate: addDays(arrival, night), endDate: addDays(arrival, night) },
    guest: { name: 'Ada Lovelace', email: 'ada@example.org', guests: 1 },
  });
  expect(status, JSON.stringify(view)).toBe(201);
  return { reservationID, path };
}
const page = (path: string, after?: string) =>
  eventually(async () => {
    const { view } = await ask<BookingPaymentView>('GET', `${path}/payment`);
    if (view.paymentPageURL === undefined || view.paymentPageURL === after)
      throw new Error(`no page yet: ${JSON.stringify(view)}`);
    return view.paymentPageURL;
  });
const until = (path: string, wanted: string) =>
  eventually(async () => {
    const { view } = await ask<ReservationView>('GET', path);
    if (view.status !== wanted) throw new Error(`still ${view.status}`);
  });

// The simulated provider is another company: it has the cards.
const readFiles: Read = (see) => filesBelow(folder, 'psp')(see);
const readOutput: Read = async (see) =>
  see(latin1(platform.output().replaceAll(/pay with the card .*/g, '')));

proves('P-110', {
  asked: 'P-023 over every store and log',
  shown: 'stays that are paid, declined, refunded: Kafka, PostgreSQL, Redis, Cassandra, S3, files, output',
  control: { test: 'control: the scan finds a card number that any of the servers holds' },
});
test('P-023, P-110: bookings on real servers leave no card in any server or file', async () => {
  const { view: list } = await ask<{ hotels: readonly { hotelID: string }[] }>('GET', '/v1/hotel-places');
  const hotel = list.hotels[0]!.hotelID;
  // Declined, then paid with a card that the provider keeps.
  const first = await reserve(hotel, 0, (payment) => ask('PUT', `${payment}/card-consent`));
  const declinedPage = await page(first.path);
  await typeCard(declinedPage, cards.declined);
  await typeCard(await page(first.path, declinedPage), cards.good, { keep: 'on' });
  await until(first.path, 'paid');
  const saved = await eventually(async () => {
    const { view } = await ask<{ cards: readonly SavedCardBody[] }>('GET', '/v1/saved-cards');
    if (view.cards[0] === undefined) throw new Error('not listed yet');
    return view.cards[0];
  });
  expect(saved.last4).toBe('4242');
  const second = await reserve(hotel, 2, (payment) =>
    ask('PUT', `${payment}/saved-card`, { cardID: saved.card_id }),
  );
  await until(second.path, 'paid');
  const third = await reserve(hotel, 4);
  await typeCard(await page(third.path), cards.other);
  await until(third.path, 'paid');
  await ask('DELETE', third.path);
  await until(third.path, 'refunded');
  // People who type the number where it does not belong.
  for (const [path, body] of [
    ['/v1/reservations', { reservationID: cards.good, hotelID: hotel }],
    ['/v1/reservations', { reservationID: randomUUID(), hotelID: hotel, guest: { name: inAField } }],
    ['/v1/waitlist', { entryID: randomUUID(), hotelID: inAField }],
    ['/v1/payments', { checkout_id: randomUUID(), buyer_info: { note: `my card is ${inAField}` } }],
  ] as const)
    expect((await ask('POST', path, body)).status).toBeGreaterThanOrEqual(400);
  await ask('GET', `/v1/reservations/${cards.good}`);
  // Nobody drives here: one location, so that the scan has something to see.
  const driver = `driver-${randomUUID()}`;
  const store = await openLocationStore(required('LOCATIONS', 'cassandra://'));
  await store.prepare();
  const here = { latE7: Int32Array.of(577_000_000), lngE7: Int32Array.of(119_700_000) };
  await store.write([
    {
      userId: driver as UserId,
      batchId: 'card-data',
      receivedMs: Date.now(),
      points: { count: 1, ...here, timeMs: Float64Array.of(Date.now()) },
    },
  ]);
  await store.close();
  const object = `card-data/${randomUUID()}`;
  const objects = await openObjects();
  await objects.put(object, Buffer.from('no card'));

  for (const [where, read, control] of [
    ['topics', readTopics, second.reservationID],
    ['tables', readTables, second.reservationID],
    ['cache', readCache, undefined],
    ['locations', readLocations, driver],
    ['objects', readObjects, object],
    ['files', readFiles, undefined],
    ['output', readOutput, 'meridian'],
  ] as const) {
    const found: string[] = [];
    let pieces = 0;
    let isSeen = false;
    await read((piece) => {
      pieces += 1;
      if (control !== undefined && piece.toLowerCase().includes(control)) isSeen = true;
      for (const trace of traces) if (trace.test(piece)) found.push(piece.slice(0, 300));
    });
    expect({ where, found }).toEqual({ where, found: [] });
    expect({ where, pieces }).not.toEqual({ where, pieces: 0 });
    // Control: what we did is there, so the scan reads it.
    if (control !== undefined) expect({ where, isSeen }).toEqual({ where, isSeen: true });
  }
  await objects.delete(object);
  await objects.close();
}, 600_000);

/** Nobody types these: their bytes stay in files of the servers, which are searched after all tests. */
const planted = ['378282246310005', '6011111111111117', '30569309025904'].map((number) =>
  writtenNumber(number),
);
test('control: the scan finds a card number that any of the servers holds', async () => {
  const topic = `card-data-${randomUUID()}`;
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic }], waitForLeaders: true });
  const producer = kafka.producer();
  await producer.connect();
  await producer.send({
    topic,
    messages: [{ value: Buffer.from([8, 1, ...Buffer.from('3782-822463-10005')]) }],
  });
  await producer.disconnect();
  const client = new pg.Client({ connectionString: required('SQL', 'postgres') });
  await client.connect();
  await client.query('CREATE TABLE card_data_control AS SELECT $1::bytea AS b', [
    Buffer.from('6011 1111 1111 1117'),
  ]);
  const redis = new Redis(required('CACHE', 'redis'));
  await redis.set('card-data-control', '3056.9309.0259.04', 'EX', 60);
  const nodes = await openCassandra();
  const table = `card_data_control_${Date.now()}`;
  await nodes.execute(`CREATE TABLE ${table} (id text PRIMARY KEY, bytes blob, notes map<text, text>)`);
  await nodes.execute(
    `INSERT INTO ${table} (id, bytes, notes) VALUES (?, ?, ?)`,
    ['1', Buffer.from([0, 255]), { card: '3782 822463 10005' }],
    { prepare: true },
  );
  const objects = await openObjects();
  const object = `card-data-control/${randomUUID()}`;
  await objects.put(object, Buffer.from([8, 1, ...Buffer.from('6011-1111-1111-1117'), 0]));
  try {
    for (const read of [readTopics, readTables, readCache, readLocations, readObjects]) {
      let found = 0;
      await read((piece) => {
        if (planted.some((trace) => trace.test(piece))) found += 1;
      });
      expect(found).toBe(1);
    }
  } finally {
    await client.query('DROP TABLE card_data_control');
    await client.end();
    await redis.del('card-data-control');
    redis.disconnect();
    await nodes.execute(`DROP TABLE ${table}`);
    await nodes.shutdown();
    await objects.delete(object);
    await objects.close();
    await admin.deleteTopics({ topics: [topic] });
    await admin.disconnect();
  }
}, 600_000);
