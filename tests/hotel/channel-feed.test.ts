import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HotelEvent } from '#hotel/outbox/hotel-event.js';
import { OutboxRelay } from '#hotel/outbox/outbox-relay.js';
import { publishToLog } from '#hotel/outbox/publish-to-log.js';
import { lockFeed } from '#hotel/rates/ari-version.js';
import { addDays } from '#hotel/reservations/stay-days.js';
import { forgetPending, notePending, pendingDays } from '#hotel/selling/pending-days.js';
import { ChannelPublisher } from '#hotel/selling/publish-for-channels.js';
import type { EventLog } from '#platform/event-log/event-log.js';
import { openEventLog } from '#platform/event-log/open-event-log.js';
import { openSchemaRegistry } from '#platform/wire/open-schema-registry.js';
import { openTopicCodecs, type TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { AriSnapshotView } from '#schemas/http/hotel-ari.js';
import type { AriChanged, AriRate } from '#schemas/messages.js';
import { topics } from '#schemas/topics.js';
import { eventually } from '../eventually.js';
import { requestFor } from './inventory-database.js';
import { type ServedHotels, serveHotels } from './served-hotels.js';

let served: ServedHotels;
let log: EventLog;
let codecs: TopicCodecs;
let close: () => Promise<void>;
/** The log refuses the deltas of this hotel. */
let broken: string | undefined;
const failed: string[] = [];
beforeAll(async () => {
  served = await serveHotels();
  const folder = await mkdtemp(join(tmpdir(), 'meridian-channels-'));
  log = await openEventLog(`embedded:${join(folder, 'log')}`);
  await log.createTopics(topics);
  const registry = await openSchemaRegistry(`embedded:${join(folder, 'schemas')}`);
  codecs = await openTopicCodecs(registry);
  const { sql } = served.database;
  const publishers = ['one', 'two'].map(
    () =>
      new ChannelPublisher({
        ...{ sql, codecs },
        log: {
          append: async (topic, records) => {
            if (topic === codecs.hotelAriChanged.topic.name && records.some(({ key }) => key === broken))
              throw new Error('the message is refused');
            return log.append(topic, records);
          },
        },
        onError: (hotelId) => failed.push(hotelId),
      }),
  );
  const relays = ['one', 'two'].map(
    (holder, index) =>
      new OutboxRelay({
        sql,
        publish: publishers[index]!.after(publishToLog(log, codecs)),
        ...{ holder, leaseMs: 40, pollMs: 5 },
      }),
  );
  const retrying = setInterval(() => publishers[0]!.wake(), 50);
  for (const relay of relays) relay.start();
  close = async () => {
    clearInterval(retrying);
    for (const relay of relays) await relay.close();
    for (const publisher of publishers) await publisher.close();
    await log.close();
    await registry.close();
    await served.close();
    await rm(folder, { recursive: true });
  };
});
afterAll(() => close?.());

const staff = (method: string, path: string, body?: object) =>
  served.call(method, `/v1/staff/hotels/${path}`, {
    token: served.tokens['siv']!,
    listener: 'internal',
    ...(body === undefined ? {} : { body: { reason: 'season', ...body } }),
  });
const range = { from: '2027-07-01', to: '2027-07-10' };
const ari = (hotelId: string, update: object) =>
  staff('PUT', `${hotelId}/ari`, { updates: [{ roomTypeIDs: ['double'], ...range, ...update }] });
async function snapshot(hotelId: string): Promise<AriSnapshotView> {
  const path = `${hotelId}/ari?from=${range.from}&to=${range.to}`;
  const pages: AriSnapshotView[] = [];
  for (let cursor = ''; ; cursor = `&cursor=${pages.at(-1)!.nextCursor}`) {
    const { status, json } = await staff('GET', path + cursor);
    expect(status).toBe(200);
    pages.push(json);
    if (json.nextCursor === undefined) return { ...pages[0]!, days: pages.flatMap(({ days }) => days) };
  }
}
async function deltas(hotelId: string): Promise<readonly AriChanged[]> {
  const { topic } = codecs.hotelAriChanged;
  const found: AriChanged[] = [];
  for (const { partition } of await log.offsets(topic.name))
    for await (const { value } of log.read(topic.name, partition, 0))
      found.push(codecs.hotelAriChanged.decode(value!));
  return found.filter((message) => message.hotelId === hotelId);
}

type Days = Map<string, { version: bigint; state: unknown }>;
const rateOf = ({ ratePlanId, priceMinor, maxStay, ...restrictions }: AriRate) => ({
  ...(ratePlanId === '' ? {} : { ratePlanID: ratePlanId }),
  ...(priceMinor === 0
    ? {}
    : { price: `${Math.floor(priceMinor / 100)}.${String(priceMinor % 100).padStart(2, '0')}` }),
  ...restrictions,
  ...(maxStay === 0 ? {} : { maxStay }),
});

/** A channel: a snapshot, and for each day the delta of the highest version above it. */
function follow(from: AriSnapshotView, messages: readonly AriChanged[]): Days {
  const days: Days = new Map();
  const version = BigInt(from.version);
  for (const { roomTypeID, date, ...state } of from.days)
    days.set(`${roomTypeID} ${date}`, { version, state });
  for (const message of messages)
    for (const { roomTypeId, day, available, rates } of message.days) {
      const key = `${roomTypeId} ${addDays('1970-01-01', day)}`;
      const known = days.get(key);
      if (known === undefined || known.version >= BigInt(message.version)) continue;
      days.set(key, { version: BigInt(message.version), state: { available, rates: rates.map(rateOf) } });
    }
  return days;
}
const statesOf = (days: Days) => [...days].map(([key, { state }]) => [key, state]);
const emptied = () =>
  eventually(async () => {
    const { rows } = await served.database.sql.query(
      `SELECT FROM hotel_outbox UNION ALL
       SELECT FROM channel_pending WHERE hotel_id IS DISTINCT FROM $1 LIMIT 1`,
      [broken ?? null],
    );
    if (rows.length > 0) throw new Error('events wait');
  });

test('what a channel has from any snapshot and the deltas after it is what the hotel sells', async () => {
  const hotelId = await served.database.hotel({ total: 12 });
  expect(await staff('GET', `${hotelId}/ari?from=${range.from}&to=${range.to}`)).toMatchObject({
    status: 409,
    json: { code: 'no-channel-feed' },
  });
  await staff('PUT', `${hotelId}/room-types/double/rate-plans/bb`, {
    name: 'With breakfast',
    meal: 'breakfast',
    cancellation: { refundable: true },
    valid: [range],
    price: { rule: 'derived', amount: '20.00' },
  });
  expect((await staff('PUT', `${hotelId}/channel-feed`, { enabled: true })).status).toBe(204);
  const reservations = served.database.reservations({ holdsPerUserMax: 1_000 });
  const snapshots: AriSnapshotView[] = [await snapshot(hotelId)];
  expect(snapshots[0]!.days[0]).toEqual({
    roomTypeID: 'double',
    date: '2027-07-01',
    available: 13,
    rates: [undefined, 'bb'].map((ratePlanID) => ({
      ...(ratePlanID === undefined ? {} : { ratePlanID }),
      price: ratePlanID === undefined ? '100.00' : '120.00',
      ...{ stopSell: false, closedToArrival: false, closedToDeparture: false, minStay: 1 },
    })),
  });
  const changes: ReadonlyArray<() => Promise<unknown>> = [
    () => ari(hotelId, { price: '110.00' }),
    () => ari(hotelId, { to: '2027-07-02', minStay: 2, closedToDeparture: true }),
    () =>
      ari(hotelId, {
        ratePlanID: 'bb',
        from: '2027-07-03',
        stopSell: true,
        maxStay: 5,
        closedToDeparture: true,
      }),
    () => ari(hotelId, { overbookingPercent: 150, from: '2027-07-05' }),
    () => staff('PUT', `${hotelId}/rates`, { steps: [{ fromOccupancyPercent: 20, pricePercent: 130 }] }),
    () => ari(hotelId, { price: '95.00', from: '2027-07-06' }),
    () => ari(hotelId, { sellLimit: 10, from: '2027-07-08' }),
    () => staff('PUT', `${hotelId}/rates`, { rates: [{ roomTypeID: 'double', ...range, price: '99.00' }] }),
  ];
  const made: Array<Promise<unknown>> = [];
  for (const change of changes) {
    for (let stay = 0; stay < 3; stay += 1) {
      const startDate = addDays('2027-07-01', (made.length * 3 + stay) % 8);
      made.push(reservations.reserve(requestFor(hotelId, { startDate, endDate: addDays(startDate, 1) })));
    }
    made.push(change());
    snapshots.push(await snapshot(hotelId));
  }
  await Promise.all(made);
  await emptied();
  const last = await snapshot(hotelId);
  const messages = await deltas(hotelId);
  const truth = last.days.map(({ roomTypeID, date, ...state }) => [`${roomTypeID} ${date}`, state]);
  for (const first of snapshots) expect(statesOf(follow(first, messages))).toEqual(truth);
  // Without the deltas it is not: the comparison can fail.
  expect(statesOf(follow(snapshots[0]!, []))).not.toEqual(truth);
});

test('a price that is being set while the feed starts is in the first snapshot', async () => {
  const hotelId = await served.database.hotel();
  let started: Promise<unknown> | undefined;
  await served.database.sql.transaction(async (tx) => {
    await lockFeed(tx, hotelId, 'shared');
    started = staff('PUT', `${hotelId}/channel-feed`, { enabled: true });
    await tx.query('UPDATE room_type_rate SET price_minor = 7700 WHERE hotel_id = $1', [hotelId]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await staff('GET', `${hotelId}/ari?from=${range.from}&to=${range.to}`)).status).toBe(409);
  });
  await started;
  expect((await snapshot(hotelId)).days[0]!.rates[0]!.price).toBe('77.00');
});

test('where prices follow the occupancy, a booking of one type publishes the others too', async () => {
  const hotelId = await served.database.hotel({ total: 10 });
  const { sql } = served.database;
  await sql.query(`INSERT INTO room_type (hotel_id, room_type_id, name) VALUES ($1, 'suite', 'S')`, [
    hotelId,
  ]);
  await sql.query(
    `INSERT INTO room_type_inventory SELECT hotel_id, 'suite', date, 10 FROM room_type_inventory WHERE hotel_id = $1`,
    [hotelId],
  );
  await sql.query(
    `INSERT INTO room_type_rate SELECT hotel_id, 'suite', date, 30000 FROM room_type_rate
     WHERE hotel_id = $1`,
    [hotelId],
  );
  await sql.query('INSERT INTO rate_step VALUES ($1, 40, 150)', [hotelId]);
  await staff('PUT', `${hotelId}/channel-feed`, { enabled: true });
  await emptied();
  await served.database
    .reservations({ holdsPerUserMax: 9 })
    .reserve(requestFor(hotelId, { roomCount: 8, endDate: '2027-07-01' }));
  await emptied();
  const days = (await deltas(hotelId)).flatMap((message) => message.days);
  const suite = days.findLast(
    ({ roomTypeId, day }) => roomTypeId === 'suite' && addDays('1970-01-01', day) === '2027-07-01',
  );
  expect(suite).toMatchObject({ available: 11, rates: [{ priceMinor: 45_000 }] });
});

test('a delta that cannot be published holds back no event and no other hotel, and is not lost', async () => {
  const [hotelId, other] = [await served.database.hotel(), await served.database.hotel()];
  for (const id of [hotelId, other]) await staff('PUT', `${id}/channel-feed`, { enabled: true });
  await emptied();
  // What changed before the fault begins is published: a relay may note the days of a new hotel late.
  for (const id of [hotelId, other])
    await expect.poll(() => pendingDays(served.database.sql, id)).toEqual([]);
  const before = (await deltas(hotelId)).length;
  const reservations = served.database.reservations({ holdsPerUserMax: 9 });
  broken = hotelId;
  for (const id of [hotelId, other]) await reservations.reserve(requestFor(id, { roomCount: 4 }));
  // The events of both hotels leave the outbox, and the other hotel has its delta.
  await emptied();
  await expect.poll(() => failed).toContain(hotelId);
  await expect
    .poll(async () => (await deltas(other)).flatMap(({ days }) => days))
    .toContainEqual(expect.objectContaining({ available: 7 }));
  expect((await deltas(hotelId)).slice(before)).toEqual([]);
  await reservations.reserve(requestFor(hotelId, { roomCount: 2 }));
  broken = undefined;
  const lastDays = async () => (await deltas(hotelId)).at(-1)?.days ?? [];
  await expect
    .poll(async () => (await lastDays()).filter(({ available }) => available === 5), { timeout: 10_000 })
    .toHaveLength(3);
});

test('a day that changes while its delta is published stays noted', async () => {
  const { sql } = served.database;
  const hotelId = await served.database.hotel();
  await staff('PUT', `${hotelId}/channel-feed`, { enabled: true });
  await emptied();
  // The publishers of this file cannot take it away.
  broken = hotelId;
  const changed: HotelEvent = {
    ...{ eventId: 1n, kind: 'inventory.changed', key: hotelId, at: new Date(0) },
    body: {
      ...{ hotelId, roomTypeId: 'double', dates: ['2031-07-01'] },
      ...{ totalInventory: [10], totalReserved: [0] },
    },
  };
  expect(await notePending(sql, [changed, changed])).toBe(2);
  // A day that the hotel does not sell: a relay may note those that it sells once more.
  const mine = async () => (await pendingDays(sql, hotelId)).filter(({ day }) => day >= '2031-07-01');
  const read = await mine();
  expect(read.map(({ day }) => day).toSorted()).toEqual(['2031-07-01', '2031-07-02']);
  await notePending(sql, [changed]);
  await forgetPending(sql, hotelId, read);
  const left = await mine();
  expect(left).toHaveLength(2);
  await forgetPending(sql, hotelId, left);
  expect(await mine()).toEqual([]);
  broken = undefined;
});
