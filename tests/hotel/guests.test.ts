import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HotelEvent } from '#hotel/outbox/hotel-event.js';
import { OutboxRelay } from '#hotel/outbox/outbox-relay.js';
import { PostgresReservations } from '#hotel/reservations/postgres-reservations.js';
import type { ReserveRequest } from '#hotel/reservations/reservations.js';
import type { Sql } from '#platform/sql/sql.js';
import { proves } from '#tools/acceptance/proves.js';
import { requestFor } from './inventory-database.js';
import { type ServedHotels, serveHotels } from './served-hotels.js';

let served: ServedHotels;
let hotelID: string;
beforeAll(async () => {
  served = await serveHotels();
  hotelID = await served.database.hotel({ total: 200 });
});
afterAll(() => served?.close());

const guest = { name: 'Anna Åström', email: 'anna@astrom.example', phone: '+46 31 123 45 67', guests: 2 };

const bodyOf = (given: object = {}) => ({
  reservationID: randomUUID(),
  hotelID,
  roomTypeID: 'double',
  startDate: '2027-07-01',
  endDate: '2027-07-02',
  roomCount: '1',
  ...given,
});
const reserve = (body: object, token = served.tokens['anna']!) =>
  served.call('POST', '/v1/reservations', { token, body });
const guestOf = (id: string, who = 'anna') =>
  served.call('GET', `/v1/reservations/${id}/guest`, { token: served.tokens[who]! });
const put = (id: string, body: object, who = 'anna') =>
  served.call('PUT', `/v1/reservations/${id}/guest`, { token: served.tokens[who]!, body });

async function reserved(given: object = { guest }): Promise<string> {
  const { status, json } = await reserve(bodyOf(given));
  expect(status).toBe(201);
  return json.reservationID;
}

/** Every row of every table as text, and as bytes. */
async function everything(): Promise<string> {
  const { sql } = served.database;
  const { rows: tables } = await sql.query(
    `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql.query(`SELECT t::text AS row FROM ${name as string} t`);
    texts.push(...rows.map((row) => row['row'] as string));
  }
  return texts.join('\n');
}

const secrets = [guest.name, guest.email, guest.phone, 'Åström', 'astrom'];
const hexOf = (text: string) => Buffer.from(text).toString('hex');

test('a guest is stored with the reservation, for its customer and staff alone', async () => {
  const id = await reserved();
  expect(await guestOf(id)).toMatchObject({ status: 200, json: guest });
  expect((await guestOf(id)).headers.get('cache-control')).toBe('no-store');
  expect((await guestOf(id, 'bo')).status).toBe(404);
  const staff = { token: served.tokens['siv']!, listener: 'internal' } as const;
  const seen = await served.call('GET', `/v1/staff/reservations/${id}/guest`, staff);
  expect(seen.json).toEqual(guest);
  const { json } = await served.call('GET', `/v1/reservations/${id}`, { token: served.tokens['anna']! });
  expect(json.guests).toBe(2);
});

test('many guests of one batch and one statement: each is with its own reservation', async () => {
  const bodies = Array.from({ length: 24 }, (_, n) =>
    bodyOf(n % 3 === 0 ? {} : { guest: { name: `Guest ${n}`, guests: 1 + (n % 2) } }),
  );
  const answers = await Promise.all(bodies.map((body) => reserve(body)));
  expect(answers.map(({ status }) => status)).toEqual(bodies.map(() => 201));
  for (const [n, { reservationID }] of bodies.entries()) {
    const { status, json } = await guestOf(reservationID);
    if (n % 3 === 0) expect(status).toBe(404);
    else expect(json).toEqual({ name: `Guest ${n}`, guests: 1 + (n % 2) });
  }
  // A refused reservation leaves no guest.
  const { sql } = served.database;
  const before = (await sql.query('SELECT count(*) AS n FROM guest_key')).rows[0]!['n'];
  expect((await reserve(bodyOf({ guest, startDate: '2029-01-01', endDate: '2029-01-01' }))).status).toBe(409);
  expect((await sql.query('SELECT count(*) AS n FROM guest_key')).rows[0]!['n']).toBe(before);
});

test('each guard stores guests, and a request without a guest is one statement as before', async () => {
  for (const guard of ['row_locks', 'version', 'constraint'] as const) {
    const statements: string[] = [];
    const { sql } = served.database;
    const counted: Sql = {
      query: (text, values) => {
        statements.push(text);
        return sql.query(text, values);
      },
      transaction: (...given) => sql.transaction(...given),
      copyIn: (...given) => sql.copyIn(...given),
      migrate: (...given) => sql.migrate(...given),
      check: () => sql.check(),
      close: () => sql.close(),
    };
    const { clock } = served.database;
    const reservations = new PostgresReservations({ sql: counted, guard, now: () => clock.now });
    const request: ReserveRequest = requestFor(hotelID);
    expect(await reservations.reserve(request)).toMatchObject({ kind: 'reserved' });
    const sealed = { guests: 2, wrappedKey: Buffer.from('key'), sealed: Buffer.from('text') };
    const outcome = await reservations.reserve(requestFor(hotelID, { guest: sealed }));
    expect(outcome).toMatchObject({ kind: 'reserved', reservation: { guests: 2 } });
    await reservations.close();
    expect(statements.length).toBe(2);
    expect(statements[0]).not.toContain('guest_key');
    const { rows } = await sql.query('SELECT sealed FROM guest WHERE sealed = $1', [Buffer.from('text')]);
    expect(rows.length).toBeGreaterThan(0);
    await sql.query('DELETE FROM guest_key WHERE wrapped_key = $1', [Buffer.from('key')]);
  }
});

test('names are text in any script, and bad ones are refused before anything is stored', async () => {
  for (const name of [
    'محمد بن عبد الله',
    'שרה כהן',
    '<script>alert(1)</script>',
    '🧳 Åsa 👩‍👩‍👧',
    '\u202eenna',
    "O'Neill & “Söhne”",
    'x'.repeat(200),
    '🧳'.repeat(200),
  ])
    expect((await guestOf(await reserved({ guest: { name, guests: 1 } }))).json).toEqual({ name, guests: 1 });
  const refused: readonly (readonly [object, string])[] = [
    [{ name: 'x'.repeat(201), guests: 1 }, '/guest/name'],
    [{ name: ' ', guests: 1 }, '/guest/name'],
    [{ name: 'a\u0000b', guests: 1 }, '/guest/name'],
    [{ name: 'a\nb', guests: 1 }, '/guest/name'],
    [{ name: '\ud83e', guests: 1 }, '/guest/name'],
    [{ name: 7, guests: 1 }, '/guest/name'],
    [{ name: 'A', email: 'nobody', guests: 1 }, '/guest/email'],
    [{ name: 'A', email: `${'x'.repeat(250)}@example.org`, guests: 1 }, '/guest/email'],
    [{ name: 'A', phone: 'call me', guests: 1 }, '/guest/phone'],
    [{ name: 'A', guests: 0 }, '/guest/guests'],
    [{ name: 'A', guests: 1.5 }, '/guest/guests'],
    [{ name: 'A', guests: 501 }, '/guest/guests'],
    [{ name: 'A', guests: 1, passport: 'X1' }, '/guest'],
    [[], '/guest'],
  ];
  for (const [bad, pointer] of refused) {
    const { status, json } = await reserve(bodyOf({ guest: bad }));
    expect([status, json.errors?.[0]?.pointer], JSON.stringify(bad).slice(0, 80)).toEqual([400, pointer]);
  }
  const huge = await reserve(bodyOf({ guest: { name: 'x'.repeat(100_000), guests: 1 } }));
  expect(huge.status).toBe(413);
  expect((await put(await reserved({}), { name: 'x'.repeat(100_000), guests: 1 })).status).toBe(413);
});

test('no more guests than the rooms sleep', async () => {
  expect((await reserve(bodyOf({ guest: { ...guest, guests: 3 } }))).json.code).toBe('too-many-guests');
  const id = await reserved({ guest: { ...guest, guests: 4 }, roomCount: '2' });
  expect((await put(id, { ...guest, guests: 5 })).json).toMatchObject({
    status: 422,
    code: 'too-many-guests',
  });
  expect((await put(id, { ...guest, guests: 3 })).status).toBe(204);
  expect((await guestOf(id)).json.guests).toBe(3);
});

test('the same request with the same guest is repeated; another guest or number differs', async () => {
  const body = bodyOf({ guest });
  expect((await reserve(body)).status).toBe(201);
  const again = await reserve(body);
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  expect((await reserve({ ...body, guest: { ...guest, name: 'Bo' } })).json.code).toBe(
    'reservation-id-taken',
  );
  expect((await reserve({ ...body, guest: { ...guest, guests: 1 } })).json.code).toBe('reservation-id-taken');
  expect((await guestOf(body.reservationID)).json).toEqual(guest);
});

test('a guest is set later, replaced, and erased by its customer', async () => {
  const id = await reserved({});
  expect((await guestOf(id)).status).toBe(404);
  expect((await put(id, guest, 'bo')).status).toBe(404);
  expect((await put(id, guest)).status).toBe(204);
  expect((await put(id, { ...guest, name: 'Åsa' })).status).toBe(204);
  expect((await guestOf(id)).json.name).toBe('Åsa');
  const erase = (who: string) =>
    served.call('DELETE', `/v1/reservations/${id}/guest`, { token: served.tokens[who]! });
  expect((await erase('bo')).status).toBe(404);
  expect((await guestOf(id)).status).toBe(200);
  expect((await erase('anna')).status).toBe(204);
  expect((await guestOf(id)).status).toBe(404);
  await served.call('DELETE', `/v1/reservations/${id}`, { token: served.tokens['anna']! });
  expect((await put(id, guest)).json.code).toBe('reservation-not-changeable');
});

test('erasing deletes the keys: a copy of the text that stayed elsewhere opens no more', async () => {
  const carla = await served.token('carla', 'customer');
  const body = bodyOf({ guest });
  await reserve(body, carla);
  const path = (user: string) => `/v1/users/${user}/guest-data`;
  expect((await served.call('DELETE', path('carla'), { token: served.tokens['bo']! })).status).toBe(404);
  const { sql } = served.database;
  const keys = async () =>
    (await sql.query(`SELECT reservation_id FROM guest_key WHERE user_id = 'carla'`)).rows.length;
  expect(await keys()).toBe(1);
  expect((await served.call('DELETE', path('carla'), { token: carla })).status).toBe(204);
  expect(await keys()).toBe(0);
  const { rows } = await sql.query('SELECT FROM guest WHERE reservation_id = $1', [body.reservationID]);
  expect(rows).toEqual([]);
});

test('staff erase with a reason, which is in the audit list', async () => {
  const id = await reserved();
  const call = (body: object, who = 'siv') =>
    served.call('POST', '/v1/staff/guest-erasures', {
      token: served.tokens[who]!,
      body,
      listener: 'internal',
    });
  expect((await call({ reason: 'asked by mail' })).status).toBe(400);
  expect((await call({ reason: 'x', reservationID: id }, 'olle')).status).toBe(403);
  expect((await call({ reason: 'asked by mail', reservationID: id })).json).toEqual({ erased: 1 });
  expect((await call({ reason: 'asked by mail', reservationID: id })).json).toEqual({ erased: 0 });
  const audit = await served.call('GET', `/v1/staff/actions?subject=${id}`, {
    token: served.tokens['siv']!,
    listener: 'internal',
  });
  expect(audit.json.actions[0]).toMatchObject({
    action: 'erase-guest',
    reason: 'asked by mail',
    staffID: 'siv',
  });
});

proves('H-010', {
  asked: 'each change made there is visible through the public API',
  shown: 'a guest whom staff have corrected reads so himself',
  control: {
    in: 'hotel/http/guest-routes.ts',
    change: 'audited(sql, now(), entry, () => guests.put(params.id, staff, guest, now()))',
    to: "audited(sql, now(), entry, async () => ({ kind: 'changed' }) as const)",
  },
});
test('H-010: staff correct a guest; the audit list says so and repeats nothing of the guest', async () => {
  const id = await reserved({ guest: { ...guest, guests: 1 } });
  const siv = { token: served.tokens['siv']!, listener: 'internal' } as const;
  const path = `/v1/staff/reservations/${id}/guest`;
  const correct = (body: unknown) => served.call('PUT', path, { ...siv, body });
  const right = { ...guest, name: 'Anna Åkesson', guests: 2 };
  expect((await correct({ guest: right, reason: 'misspelt' })).status).toBe(204);
  expect((await served.call('GET', path, siv)).json).toEqual(right);
  expect((await guestOf(id)).json).toEqual(right);
  expect((await correct({ guest: { ...right, guests: 3 } })).json).toMatchObject({
    ...{ status: 422, detail: 'The rooms sleep at most 2.' },
  });
  const wrong = await correct({ guest: { ...right, email: 'anna at home' }, reason: '\n', other: 1 });
  expect(wrong.json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
    ...['/guest/email', '/reason', ''],
  ]);
  expect(wrong.text).not.toContain('anna at home');
  for (const body of [null, 7, 'x', [], {}]) expect((await correct(JSON.stringify(body))).status).toBe(400);
  const other = await served.call('PUT', path, {
    token: served.tokens['olle']!,
    listener: 'internal',
    body: {},
  });
  expect(other.status).toBe(403);
  const audit = await served.call('GET', `/v1/staff/actions?subject=${id}`, siv);
  expect(audit.json.actions.at(-1)).toMatchObject({
    ...{ action: 'set-guest', reason: 'misspelt', staffID: 'siv', outcome: 'changed', detail: {} },
  });
  expect(audit.text).not.toContain('Anna');
  await served.database.reservations().cancel(id, { staff: true });
  expect((await correct({ guest: right })).json.code).toBe('reservation-not-changeable');
  expect(
    (await served.call('PUT', path.replace(id, 'none'), { ...siv, body: { guest: right } })).status,
  ).toBe(404);
});

test('staff of single hotels correct and erase guests of these, and nobody’s elsewhere', async () => {
  const id = await reserved();
  const erase = (token: string, body: object) =>
    served.call('POST', '/v1/staff/guest-erasures', {
      token,
      listener: 'internal',
      body: { reason: 'asked', ...body },
    });
  const elsewhere = await served.token('eve', 'desk', ['hotel-none']);
  const here = await served.token('ann', 'desk', [hotelID]);
  expect((await erase(elsewhere, { reservationID: id })).status).toBe(404);
  expect((await erase(here, { userID: 'anna' })).json.detail).toBe(
    'Staff of single hotels have no access to this.',
  );
  const path = `/v1/staff/reservations/${id}/guest`;
  const body = { guest };
  expect((await served.call('PUT', path, { token: elsewhere, listener: 'internal', body })).status).toBe(404);
  expect((await served.call('PUT', path, { token: here, listener: 'internal', body })).status).toBe(204);
  expect((await guestOf(id)).status).toBe(200);
  expect((await erase(here, { reservationID: id })).json).toEqual({ erased: 1 });
  expect((await guestOf(id)).status).toBe(404);
});

test('names and addresses are in no table, event or log', async () => {
  const published: HotelEvent[] = [];
  const relay = new OutboxRelay({
    sql: served.database.sql,
    holder: 'test',
    publish: async (events) => void published.push(...events),
  });
  const id = await reserved();
  await put(id, { ...guest, guests: 1 });
  await reserve(bodyOf({ guest: { ...guest, phone: 'no number', guests: 0 } }));
  // The text is there, and a scan of its bytes would find it if it were not encrypted.
  expect((await guestOf(id)).json.name).toBe(guest.name);
  const stored = await everything();
  expect(stored).toContain(id);
  while ((await relay.relayOnce()) > 0);
  await relay.close();
  expect(published.length).toBeGreaterThan(0);
  const events = JSON.stringify(published, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  expect(served.logged.length).toBeGreaterThan(0);
  for (const secret of secrets) {
    expect(stored.includes(secret) || stored.includes(hexOf(secret)), secret).toBe(false);
    expect(events.includes(secret), secret).toBe(false);
    expect(served.logged.join('\n').includes(secret), secret).toBe(false);
  }
});
