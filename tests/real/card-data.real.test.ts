import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { type IHeaders, Kafka, logLevel } from 'kafkajs';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '#hotel/reservations/stay-days.js';
import type { BookingPaymentView } from '#schemas/http/bookings.js';
import type { ReservationView } from '#schemas/http/hotel-reservations.js';
import type { SavedCardBody } from '#schemas/http/saved-cards.js';
import { proves } from '#tools/acceptance/proves.js';
import { browsePage, certificateIn } from '../browse-page.js';
import { required } from '../contracts/required-variable.js';
import { eventually } from '../eventually.js';
import { meridian, type RunningPlatform, startPlatform } from '../main-job/running-platform.js';

/** What guests type on the page of the provider; no program of ours may ever store it. */
const cards = { good: '4242424242424242', declined: '4000000000000002', other: '5555555555554444' } as const;
const inAField = '4242 4242 4242 4242';
/** With any separators, in any encoding that keeps digits as they are. */
const traces = Object.values(cards).map((number) => new RegExp(number.split('').join('[^0-9a-zA-Z]{0,3}')));
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

/** Everything that a server holds, piece by piece, as text in which every byte is a character. */
type Read = (see: (piece: string) => void) => Promise<void>;
const latin1 = (bytes: Uint8Array | string | null | undefined): string =>
  bytes === null || bytes === undefined ? '' : Buffer.from(bytes).toString('latin1');
const headersOf = (headers: IHeaders | undefined): string =>
  Object.entries(headers ?? {})
    .flatMap(([name, value]) => [name, ...[value].flat().map((one) => latin1(one))])
    .join(' ');

const kafka = new Kafka({
  brokers: required('EVENT_LOG', 'kafka://').slice('kafka://'.length).split(','),
  logLevel: logLevel.ERROR,
});
const readTopics: Read = async (see) => {
  const admin = kafka.admin();
  await admin.connect();
  const topics = (await admin.listTopics()).filter((name) => !name.startsWith('__'));
  const ends = new Map<string, number>();
  for (const topic of topics)
    for (const { partition, low, high } of await admin.fetchTopicOffsets(topic))
      if (Number(high) > Number(low)) ends.set(`${topic}/${partition}`, Number(high));
  await admin.disconnect();
  const consumer = kafka.consumer({ groupId: `card-data-${randomUUID()}` });
  await consumer.connect();
  await consumer.subscribe({ topics, fromBeginning: true });
  await new Promise<void>((resolve, reject) => {
    consumer
      .run({
        eachBatch: ({ batch }) => {
          for (const { key, value, headers } of batch.messages)
            see(`${latin1(key)} ${latin1(value)} ${headersOf(headers)}`);
          const place = `${batch.topic}/${batch.partition}`;
          if (Number(batch.lastOffset()) + 1 >= (ends.get(place) ?? 0)) ends.delete(place);
          if (ends.size === 0) resolve();
          return Promise.resolve();
        },
      })
      .catch(reject);
  });
  await consumer.disconnect();
};
const readTables: Read = async (see) => {
  const client = new pg.Client({ connectionString: required('SQL', 'postgres') });
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  for (const { name } of tables) {
    // As text and, for bytes, as the bytes themselves.
    const { rows } = await client.query<{ row: string }>({ text: `SELECT t::text AS row FROM ${name} t` });
    for (const { row } of rows)
      see(row.replaceAll(/\\+x([0-9a-f]+)/g, (_, hex: string) => latin1(Buffer.from(hex, 'hex'))));
  }
  await client.end();
};
const readCache: Read = async (see) => {
  const redis = new Redis(required('CACHE', 'redis'));
  for await (const keys of redis.scanStream({ count: 500 }) as AsyncIterable<string[]>)
    for (const key of keys) see(`${key} ${latin1((await redis.dumpBuffer(key)) ?? undefined)}`);
  redis.disconnect();
};
const readFiles: Read = async (see) => {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    // The simulated provider is another company: it has the cards.
    if (!entry.isFile() || entry.parentPath.includes('psp')) continue;
    see(latin1(await readFile(join(entry.parentPath, entry.name))));
  }
};
const readOutput: Read = async (see) =>
  see(latin1(platform.output().replaceAll(/pay with the card .*/g, '')));

proves('P-110', {
  asked: 'P-023 after the full suite, over every store and log',
  shown: 'all topics of Kafka, tables, keys of the cache, files, output; with what other tests left there',
  control: { test: 'control: the scan finds a card number that a topic, a table and the cache hold' },
});
test('P-023, P-110: bookings on real servers leave no card in topics, tables, cache, files', async () => {
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

  for (const [where, read, control] of [
    ['topics', readTopics, second.reservationID],
    ['tables', readTables, second.reservationID],
    ['cache', readCache, undefined],
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
}, 300_000);

test('control: the scan finds a card number that a topic, a table and the cache hold', async () => {
  const topic = `card-data-${randomUUID()}`;
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic }], waitForLeaders: true });
  const producer = kafka.producer();
  await producer.connect();
  await producer.send({
    topic,
    messages: [{ value: Buffer.from([8, 1, ...Buffer.from('4242-4242-4242-4242')]) }],
  });
  await producer.disconnect();
  const client = new pg.Client({ connectionString: required('SQL', 'postgres') });
  await client.connect();
  await client.query('CREATE TABLE card_data_control AS SELECT $1::bytea AS b', [
    Buffer.from('5555 5555 5555 4444'),
  ]);
  const redis = new Redis(required('CACHE', 'redis'));
  await redis.set('card-data-control', '4000.0000.0000.0002', 'EX', 60);
  try {
    for (const read of [readTopics, readTables, readCache]) {
      let found = 0;
      await read((piece) => {
        if (traces.some((trace) => trace.test(piece))) found += 1;
      });
      expect(found).toBe(1);
    }
  } finally {
    await client.query('DROP TABLE card_data_control');
    await client.end();
    await redis.del('card-data-control');
    redis.disconnect();
    await admin.deleteTopics({ topics: [topic] });
    await admin.disconnect();
  }
}, 120_000);
