import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { channelLimits } from '#hotel/selling/channel-limits.js';
import { eventually } from '../eventually.js';
import { deltas, range, type ServedChannels, serveChannels } from './served-channels.js';

let channels: ServedChannels;

beforeAll(async () => {
  channels = await serveChannels();
});
afterAll(() => channels?.close());

interface Sent {
  readonly secret: string;
  readonly id?: string;
  readonly atMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

let made = 0;
/** As the server of a channel asks: no token, a signature of the body that is sent. */
function ask(path: string, body: object | string, sent: Sent) {
  const { secret, headers } = sent;
  const { id = `ask-${++made}`, atMs = channels.served.database.clock.now.getTime() } = sent;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const at = new Date(Math.floor(atMs / 1_000) * 1_000);
  return channels.served.call('POST', `/v1/hotels/${path}/requests`, {
    body: text,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(at.getTime() / 1_000),
      'webhook-signature': new Webhook(secret).sign(id, at, text),
      ...headers,
    },
  });
}

const pendingOf = async (hotelId: string): Promise<number> => {
  const { rows } = await channels.sql.query<{ n: bigint }>(
    'SELECT count(*) AS n FROM channel_pending WHERE hotel_id = $1',
    [hotelId],
  );
  return Number(rows[0]!.n);
};
const keptOf = async (endpointId: string): Promise<number> => {
  const { rows } = await channels.sql.query<{ n: bigint }>(
    'SELECT count(*) AS n FROM channel_request WHERE endpoint_id = $1',
    [endpointId],
  );
  return Number(rows[0]!.n);
};

test('a channel requests the state itself, and it arrives at its webhook', async () => {
  const { sql, staff, publish, newDispatcher, hotelWithFeed, channel } = channels;
  const hotelId = await hotelWithFeed();
  const { receiver, path } = await channel(hotelId);
  const dispatcher = newDispatcher();
  const asked = await ask(path, range, receiver);
  expect([asked.status, asked.json]).toEqual([
    202,
    { requestID: expect.stringMatching(/^cr_/), ...range, days: 10, requestedAt: expect.any(String) },
  ]);
  await publish();
  await eventually(async () => {
    await dispatcher.round();
    expect(deltas(receiver)).toHaveLength(1);
  });
  const snapshot = await staff('GET', `${hotelId}/ari?from=${range.from}&to=${range.to}`);
  expect(deltas(receiver)[0]!.days).toEqual(snapshot.json.days);
  // Some days of some room types.
  for (const statement of [
    `INSERT INTO room_type (hotel_id, room_type_id, name) VALUES ($1, 'single', 'Single')`,
    `INSERT INTO room_type_inventory (hotel_id, room_type_id, date, total_inventory)
     SELECT hotel_id, 'single', date, 5 FROM room_type_inventory WHERE hotel_id = $1`,
  ])
    await sql.query(statement, [hotelId]);
  await publish();
  const part = { from: '2027-07-02', to: '2027-07-03', roomTypeIDs: ['double'] };
  expect((await ask(path, part, receiver)).json).toMatchObject({ ...part, days: 2 });
  await publish();
  await eventually(async () => {
    await dispatcher.round();
    const { days } = deltas(receiver).at(-1)!;
    expect(days.map(({ date, roomTypeID }) => [date, roomTypeID])).toEqual([
      [part.from, 'double'],
      [part.to, 'double'],
    ]);
  });
  await dispatcher.close();
});

test('without a valid signature nothing happens, and nobody learns which endpoints there are', async () => {
  const { served, staff, hotelWithFeed, channel } = channels;
  const [hotelId, other] = [await hotelWithFeed(), await hotelWithFeed()];
  const { receiver, path, id } = await channel(hotelId);
  const foreign = await channel(other);
  const { secret } = receiver;
  const nowMs = served.database.clock.now.getTime();
  const strange = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  const tolerance = channelLimits.requestToleranceMs;
  const refused = await Promise.all([
    ask(path, range, { secret: strange }),
    ask(path, range, { secret: foreign.receiver.secret }),
    ask(path, range, { secret, atMs: nowMs - tolerance - 1_000 }),
    ask(path, range, { secret, atMs: nowMs + tolerance + 1_000 }),
    ask(path, range, { secret, headers: { 'webhook-id': 'another' } }),
    ask(path, range, { secret, headers: { 'webhook-signature': '' } }),
    ask(path, '{"from":"2027-07-01","to":"nothing"}', { secret: strange }),
    served.call('POST', `/v1/hotels/${path}/requests`, { body: range }),
    // Another hotel, no endpoint, no hotel: signed with a secret that is valid elsewhere.
    ask(path.replace(hotelId, other), range, { secret }),
    ask(path.replace(id, 'we_nothing'), range, { secret }),
    ask(`nowhere/channel-endpoints/${id}`, range, { secret }),
  ]);
  const plain = refused.map(({ status, json }) => {
    const { instance: _, trace_id: __, ...rest } = json;
    return [status, rest];
  });
  for (const [status, body] of plain)
    expect([status, body]).toEqual([401, expect.objectContaining({ code: 'request-not-signed' })]);
  expect(new Set(plain.map((one) => JSON.stringify(one))).size).toBe(1);
  expect([await pendingOf(hotelId), await pendingOf(other), await keptOf(id)]).toEqual([0, 0, 0]);

  // At the edge of the time window, and while the secret changes, both signatures count.
  expect((await ask(path, range, { secret, atMs: nowMs - tolerance })).status).toBe(202);
  const rotated = await staff('POST', `${path}/secret`, {});
  for (const valid of [rotated.json.secret, secret])
    expect((await ask(path, range, { secret: valid })).status).toBe(202);
});

test('an endpoint that does not exist costs as many comparisons as one that does', async () => {
  const { hotelWithFeed, channel } = channels;
  const { path, id } = await channel(await hotelWithFeed());
  const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  const { sign } = Webhook.prototype;
  const compared: string[] = [];
  Webhook.prototype.sign = function (this: Webhook, ...given) {
    compared.push(given[0]);
    return sign.apply(this, given);
  };
  try {
    await ask(path, range, { secret, id: 'there' });
    await ask(path.replace(id, 'we_nothing'), range, { secret, id: 'nowhere' });
  } finally {
    Webhook.prototype.sign = sign;
  }
  // The client signed each once, too.
  expect(compared).toEqual(['there', 'there', 'nowhere', 'nowhere']);
});

test('a repeated request, or one while another waits, is answered with the first one', async () => {
  const { publish, hotelWithFeed, channel } = channels;
  const hotelId = await hotelWithFeed();
  const { receiver, path, id } = await channel(hotelId);
  const { secret } = receiver;
  const first = await Promise.all(
    Array.from({ length: 12 }, (_, n) => ask(path, range, { secret, id: `storm-${n % 4}` })),
  );
  expect(new Set(first.map(({ status }) => status))).toEqual(new Set([202]));
  expect(new Set(first.map(({ json }) => json.requestID)).size).toBe(1);
  expect(first.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
  expect(await keptOf(id)).toBe(1);
  const { requestID } = first[0]!.json;
  // Another range meanwhile: the answer says what will be sent.
  const other = await ask(path, { ...range, from: '2027-07-05' }, { secret });
  expect(other.json).toMatchObject({ requestID, ...range });
  await publish();
  const repeatedId = 'later';
  const second = await ask(path, range, { secret, id: repeatedId });
  expect(second.json.requestID).not.toBe(requestID);
  await publish();
  // Repeated after it was published: the same answer, and nothing is sent again.
  expect((await ask(path, range, { secret, id: repeatedId })).json).toEqual(second.json);
  expect(await pendingOf(hotelId)).toBe(0);
});

test('four requests an hour for each endpoint; one that is disabled or has no feed gets none', async () => {
  const { served, staff, publish, hotelWithFeed, channel } = channels;
  const hotelId = await hotelWithFeed();
  const { receiver, path, id } = await channel(hotelId);
  const other = await channel(hotelId);
  const { secret } = receiver;
  const { clock } = served.database;
  const before = clock.now;
  const accepted = async (): Promise<number> => {
    const { status } = await ask(path, range, { secret });
    await publish();
    return status;
  };
  for (let n = 0; n < channelLimits.requestsInWindow; n++) expect(await accepted()).toBe(202);
  const refused = await ask(path, range, { secret });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600']);
  expect(await pendingOf(hotelId)).toBe(0);
  // Another channel has its own limit.
  expect((await ask(other.path, range, other.receiver)).status).toBe(202);
  await publish();
  clock.now = new Date(before.getTime() + channelLimits.requestWindowMs);
  expect(await accepted()).toBe(202);
  clock.now = new Date(clock.now.getTime() + channelLimits.requestKeptMs + 1_000);
  expect(await accepted()).toBe(202);
  expect(await keptOf(id)).toBe(1);
  const { url } = receiver;
  await staff('PUT', path, { url, state: 'disabled' });
  expect((await ask(path, range, { secret })).json.code).toBe('channel-endpoint-disabled');
  await staff('PUT', path, { url, state: 'active' });
  await staff('PUT', `${hotelId}/channel-feed`, { enabled: false });
  expect((await ask(path, range, { secret })).json.code).toBe('no-channel-feed');
  expect(await keptOf(id)).toBe(1);
  clock.now = before;
});

test('a signed request that makes no sense is refused by name', async () => {
  const { hotelWithFeed, channel } = channels;
  const hotelId = await hotelWithFeed();
  const { receiver, path, id } = await channel(hotelId);
  const { secret } = receiver;
  const of = async (body: object | string) => {
    const { status, json } = await ask(path, body, { secret });
    return [status, json.errors?.map(({ pointer }: { pointer: string }) => pointer) ?? json.code];
  };
  expect(await of('no json')).toEqual([400, 'malformed-request']);
  expect(await of('')).toEqual([400, 'malformed-request']);
  expect(await of({ from: '2027-02-30', to: '2027-03-01' })).toEqual([400, ['/from']]);
  expect(await of({ from: '2027-07-02', to: '2027-07-01' })).toEqual([400, ['/to']]);
  expect(await of({ from: '2027-07-01', to: '2029-09-08' })).toEqual([400, ['/to']]);
  expect((await of({ from: '2027-07-01', to: '2029-09-07' }))[0]).toBe(202);
  expect(await of({ ...range, roomTypeIDs: ['double', 'suite'] })).toEqual([400, ['/roomTypeIDs/1']]);
  expect(await of({ ...range, roomTypeIDs: [] })).toEqual([400, ['/roomTypeIDs']]);
  expect(await of({ ...range, more: 1 })).toEqual([400, ['/more']]);
  expect(await of({ ...range, roomTypeIDs: ['4242 4242 4242 4242'] })).toEqual([400, ['/roomTypeIDs/0']]);
  expect((await ask(path, 'x'.repeat(20_000), { secret })).status).toBe(413);
  expect(await keptOf(id)).toBe(1);
});
