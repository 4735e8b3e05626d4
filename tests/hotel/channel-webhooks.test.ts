import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliveryTimes } from '#platform/webhooks/limits.js';
import { eventually } from '../eventually.js';
import { deltas, range, type ServedChannels, serveChannels } from './served-channels.js';
import { serveHotels } from './served-hotels.js';

let channels: ServedChannels;

beforeAll(async () => {
  channels = await serveChannels();
});
afterAll(() => channels?.close());

const rotate = (path: string, token: string) =>
  channels.served.call('POST', `/v1/staff/hotels/${path}/secret`, {
    ...{ token, listener: 'internal' as const },
    body: { reason: 'leaked' },
  });

test('a channel gets each delta of its hotel, signed, in order, with the state of a snapshot', async () => {
  const { staff, newDispatcher, hotelWithFeed, channel, price } = channels;
  const [hotelId, other] = [await hotelWithFeed(), await hotelWithFeed()];
  const { receiver, path, shown } = await channel(hotelId);
  const silent = await channel(other);
  const dispatcher = newDispatcher();
  for (const amount of ['120.00', '130.00', '140.00']) await price(hotelId, amount);
  await eventually(async () => {
    await dispatcher.round();
    expect(receiver.received).toHaveLength(3);
    expect(await shown()).toMatchObject({ waiting: 0, state: 'active' });
  });
  const found = deltas(receiver);
  expect(found.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  expect(found.map(({ version }) => Number(version))).toEqual([1, 2, 3]);
  expect(found.map(({ days }) => days[0]!.rates[0]!.price)).toEqual(['120.00', '130.00', '140.00']);
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(3);
  expect(receiver.received[0]).toMatchObject({
    type: 'ari.changed',
    data: { hotelID: hotelId, currency: 'SEK' },
  });
  const snapshot = await staff('GET', `${hotelId}/ari?from=${range.from}&to=${range.to}`);
  expect(found[2]!.days.filter(({ date }) => date <= range.to)).toEqual(snapshot.json.days);
  const { json } = await staff('GET', `${path}/attempts`);
  expect(json.attempts).toHaveLength(3);
  expect(json.attempts[0]).toMatchObject({ status: 200, answer: 'ok', eventID: receiver.received[2]!.id });
  expect(deltas(silent.receiver).filter(({ hotelID }) => hotelID !== other)).toEqual([]);
  await dispatcher.close();
});

test('a failed delta holds back the later ones and comes again; a broken log doubles none', async () => {
  const { world, staff, publish, newDispatcher, hotelWithFeed, channel, price } = channels;
  const hotelId = await hotelWithFeed();
  const { receiver, path } = await channel(hotelId);
  const dispatcher = newDispatcher();
  receiver.answer = () => 500;
  await price(hotelId, '120.00');
  await price(hotelId, '130.00');
  await eventually(async () => {
    await dispatcher.round();
    expect(receiver.received).toHaveLength(1);
  });
  await eventually(async () => {
    const { json } = await staff('GET', `${path}/attempts`);
    expect(json.attempts).toMatchObject([{ status: 500 }]);
  });
  await dispatcher.round();
  receiver.answer = () => 200;
  world.ms += deliveryTimes.retryAfterMs[0]! * 1.2;
  await eventually(async () => {
    await dispatcher.round();
    expect(deltas(receiver).map(({ sequence }) => sequence)).toEqual([1, 1, 2]);
  });
  world.isBroken = true;
  await price(hotelId, '150.00');
  world.isBroken = false;
  world.ms += 60_000;
  await new Promise((resolve) => setTimeout(resolve, 600));
  await publish();
  // The log failed after the delta was stored: the repeated one has a higher version and the next number.
  await eventually(async () => {
    await dispatcher.round();
    expect(deltas(receiver).map(({ sequence }) => sequence)).toEqual([1, 1, 2, 3, 4]);
  });
  const [last, again] = deltas(receiver).slice(-2);
  expect(again!.days).toEqual(last!.days);
  await dispatcher.close();
});

test('a process that dies loses nothing: the lease ends, and another delivers', async () => {
  const { world, newDispatcher, hotelWithFeed, channel, price } = channels;
  const hotelId = await hotelWithFeed();
  const { receiver } = await channel(hotelId);
  const dying = newDispatcher();
  receiver.answer = () => 'hang';
  await price(hotelId, '120.00');
  await eventually(async () => {
    await dying.round();
    expect(receiver.received).toHaveLength(1);
  });
  await dying.close();
  const dispatcher = newDispatcher();
  receiver.answer = () => 200;
  await dispatcher.round();
  expect(receiver.received).toHaveLength(1);
  world.ms += deliveryTimes.leaseMs;
  await eventually(async () => {
    await dispatcher.round();
    expect(deltas(receiver).map(({ sequence }) => sequence)).toEqual([1, 1]);
  });
  await dispatcher.close();
});

test('a channel that missed deltas sees the gap; state or deltas are sent again', async () => {
  const { served, world, nowMs, staff, publish, newDispatcher, hotelWithFeed, channel, price } = channels;
  const hotelId = await hotelWithFeed();
  const { receiver, path } = await channel(hotelId);
  const { url } = receiver;
  const dispatcher = newDispatcher();
  const from = new Date(nowMs() - 1_000).toISOString();
  expect((await staff('PUT', path, { url, state: 'disabled' })).json).toMatchObject({
    state: 'disabled',
    disabledReason: 'by staff of the hotel',
  });
  await price(hotelId, '120.00');
  expect((await staff('PUT', path, { url, state: 'active' })).status).toBe(200);
  await price(hotelId, '130.00');
  const sequences = (...expected: readonly number[]) =>
    eventually(async () => {
      await dispatcher.round();
      expect(deltas(receiver).map(({ sequence }) => sequence)).toEqual(expected);
    });
  await sequences(2);
  const sent = await staff('POST', `${hotelId}/channel-snapshots`, range);
  expect([sent.status, sent.json]).toEqual([202, { days: 10 }]);
  await publish();
  await sequences(2, 3);
  const whole = deltas(receiver)[1]!;
  const snapshot = await staff('GET', `${hotelId}/ari?from=${range.from}&to=${range.to}`);
  expect(whole.days).toEqual(snapshot.json.days);
  world.ms += 1_000;
  const replayed = await served.call('POST', `/v1/staff/hotels/${path}/replays`, {
    ...{ token: served.tokens['siv']!, listener: 'internal' as const },
    body: { from, to: new Date(nowMs()).toISOString() },
  });
  expect([replayed.status, replayed.json]).toEqual([202, { events: 3 }]);
  await sequences(2, 3, 1, 2, 3);
  await dispatcher.close();
});

test('only staff of the hotel register, at 16 addresses that are distinct; others find nothing', async () => {
  const { served, sql, staff, hotelWithFeed, channel } = channels;
  const [hotelId, other] = [await hotelWithFeed(), await hotelWithFeed()];
  const { path } = await channel(hotelId);
  const foreign = await channel(other);
  const limited = await served.token('lena', 'desk', [hotelId]);
  const body = { url: 'https://channel.example/hook' };
  for (const token of ['anna', 'olle'].map((who) => served.tokens[who]!)) {
    const { status } = await staff('POST', `${hotelId}/channel-endpoints`, body, token);
    expect([401, 403]).toContain(status);
  }
  expect((await served.call('GET', `/v1/staff/hotels/${hotelId}/channel-endpoints`)).status).toBe(404);
  expect((await staff('GET', `${hotelId}/channel-endpoints`, undefined, limited)).status).toBe(200);
  // Whoever is limited to one hotel finds no other.
  for (const [method, where] of [
    ['GET', `${other}/channel-endpoints`],
    ['POST', `${other}/channel-endpoints`],
    ['DELETE', foreign.path],
    ['GET', `${foreign.path}/attempts`],
  ] as const)
    expect((await staff(method, where, method === 'POST' ? body : undefined, limited)).status, where).toBe(
      404,
    );
  expect((await rotate(foreign.path, limited)).status).toBe(404);
  expect((await rotate(path, limited)).json.secret).toMatch(/^whsec_/);
  // An endpoint belongs to its hotel.
  const crossed = path.replace(hotelId, other);
  expect((await staff('PUT', crossed, { ...body, state: 'active' })).status).toBe(404);
  expect((await staff('DELETE', crossed)).status).toBe(404);
  expect((await staff('GET', `${crossed}/attempts`)).status).toBe(404);
  expect((await foreign.shown()).waiting).toBe(0);
  expect((await staff('POST', 'nowhere/channel-endpoints', body)).status).toBe(404);

  const more = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      staff('POST', `${hotelId}/channel-endpoints`, { url: `https://channel.example/${n}` }),
    ),
  );
  expect(more.filter(({ status }) => status === 201)).toHaveLength(15);
  expect(more.filter(({ json }) => json.code === 'channel-endpoint-refused')).toHaveLength(5);
  const { rows } = await sql.query<{ n: bigint }>(
    `SELECT count(*) AS n FROM staff_action WHERE subject = $1 AND action = 'add-channel-endpoint'`,
    [hotelId],
  );
  expect(Number(rows[0]!.n)).toBe(21);
  expect((await staff('DELETE', path)).status).toBe(204);
  expect((await staff('GET', `${hotelId}/channel-endpoints`)).json.endpoints).toHaveLength(15);
});

test('in production, addresses are https and of the public Internet', async () => {
  const strict = await serveHotels({ webhookTargets: 'public' });
  try {
    const hotelId = await strict.database.hotel();
    const add = async (url: string) =>
      strict.call('POST', `/v1/staff/hotels/${hotelId}/channel-endpoints`, {
        ...{ token: strict.tokens['siv']!, listener: 'internal' as const },
        body: { reason: 'r', url },
      });
    for (const url of [
      'http://channel.example/',
      'https://10.0.0.1/',
      'https://[::1]/',
      'https://localhost/',
      'x',
    ])
      expect((await add(url)).json, url).toMatchObject({ status: 400, errors: [{ pointer: '/url' }] });
    expect((await add('https://channel.example/')).status).toBe(201);
  } finally {
    await strict.close();
  }
});
