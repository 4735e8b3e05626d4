import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { UserId } from '#schemas/units.js';
import { proves } from '#tools/acceptance/proves.js';
import { opera, type ServedHotels, serveHotels } from './served-hotels.js';

let served: ServedHotels;
let staff: { readonly token: string; readonly listener: 'internal' };
let hotelID: string;

beforeAll(async () => {
  served = await serveHotels();
  staff = { token: served.tokens['siv']!, listener: 'internal' };
});
afterAll(() => served?.close());
beforeEach(async () => {
  hotelID = await served.database.hotel({ total: 10 });
});

let forms = 0;
async function book(person = 'anna', over: object = {}): Promise<string> {
  forms += 1;
  const reservationID = `s-${forms}`;
  const body = {
    hotelID,
    roomTypeID: 'double',
    startDate: '2027-07-01',
    endDate: '2027-07-02',
    roomCount: '1',
    reservationID,
    ...over,
  };
  const { status } = await served.call('POST', '/v1/reservations', { token: served.tokens[person]!, body });
  expect(status).toBe(201);
  return reservationID;
}
const pay = (reservationId: string, amountMinor = 20_000n) =>
  served.database
    .reservations()
    .confirmPayment({ reservationId, paymentId: `p-${reservationId}`, amountMinor, currency: 'SEK' });
const get = (path: string) => served.call('GET', path, staff);
const act = (id: string, what: string, body: object) =>
  served.call('POST', `/v1/staff/reservations/${id}/${what}`, { ...staff, body });
const actionsOf = async (subject: string) =>
  (await get(`/v1/staff/actions?subject=${subject}`)).json.actions as {
    readonly action: string;
    readonly outcome: string | null;
    readonly staffID: string;
    readonly reason: string;
    readonly at: string;
  }[];

describe('the internal listener', () => {
  proves('H-013', {
    asked: 'another address or port; every internal path answers 404 in public as if absent',
    shown: 'every internal operation: 404 in public with a token of staff, as a path that nobody knows',
    control: {
      in: 'schemas/http/hotel-staff.ts',
      change: "path: '/v1/staff/hotels',\n  summary: 'Hotels by part",
      to: "path: '/v1/staff/hotels',\n  listener: 'both',\n  summary: 'Hotels by part",
    },
  });
  proves('H-112', {
    asked: 'the internal API and the management service refuse public tokens even if reached',
    shown: 'all that hotels serve there: public customer, desk, operator 401; all others: operator 401',
    control: {
      in: 'platform/auth/jwt-authenticator.ts',
      change: '        audience: options.audience,\n',
      to: '',
    },
  });
  test('H-013, H-112: its paths do not exist in public, and it accepts no public token', async () => {
    const internal = served.routes
      .map(({ contract }) => contract)
      .filter(({ listener }) => listener === 'internal');
    expect(internal.length).toBeGreaterThan(20);
    const ofStaff = served.routes
      .map(({ contract }) => contract.path)
      .filter((at) => at.startsWith('/v1/staff/'));
    expect(internal.map(({ path }) => path)).toEqual(ofStaff);
    const unknown = (await served.call('GET', '/v1/nothing', { token: staff.token })).json;
    const publicDesk = await served.signed({ scope: 'desk' });
    const publicOperator = await served.signed({ scope: 'operator' });
    const others = served.routes
      .map(({ contract }) => contract)
      .filter(({ listener, scopes }) => listener === 'both' && scopes !== 'open');
    expect(others.length).toBeGreaterThan(5);
    for (const { method, path } of others) {
      const token = publicOperator;
      const answer = await served.call(method, path, { token, listener: 'internal' });
      expect([method, path, answer.status]).toEqual([method, path, 401]);
    }
    for (const { method, path } of internal) {
      const at = path.replace('{id}', hotelID);
      const body = method === 'GET' || method === 'DELETE' ? undefined : { reason: 'x' };
      const absent = await served.call(method, at, { token: staff.token, body });
      expect([absent.status, absent.json]).toEqual([
        404,
        { ...unknown, instance: absent.json.instance, trace_id: absent.json.trace_id },
      ]);
      expect((await served.call('PATCH', at, { token: staff.token })).status).toBe(404);
      const guest = await served.call(method, at, {
        token: served.tokens['anna']!,
        body,
        listener: 'internal',
      });
      expect(guest.status).toBe(401);
      const desk = await served.call(method, at, { token: publicDesk, body, listener: 'internal' });
      expect(desk.status).toBe(401);
      for (const [token, status] of [
        [publicOperator, 401],
        // Of both audiences: it may enter, but is no staff.
        [served.tokens['olle']!, 403],
      ] as const)
        expect((await served.call(method, at, { token, body, listener: 'internal' })).status).toBe(status);
    }
  });

  test('it does not serve the customers’ own paths, but hotels and rooms', async () => {
    expect((await get('/v1/reservations')).status).toBe(404);
    expect((await get(`/v1/hotels/${hotelID}`)).status).toBe(200);
  });
});

proves('H-010', {
  asked: 'staff list and search reservations',
  shown: 'by hotel, user, status, day and refund due, in pages, with history',
  settings: ['the test confirms the payments, as the follower of payments does'],
  control: {
    in: 'hotel/staff/search.ts',
    change: '$4 BETWEEN start_date AND end_date',
    to: '$4 >= start_date',
  },
});
proves('H-039', {
  asked: 'staff through the internal API 200',
  shown: '200 with user, status, money and history; 404 for an unknown one',
  settings: ['the test confirms the payments, as the follower of payments does'],
});
test('H-010, H-039: staff see all reservations with history, by hotel, user, status and day', async () => {
  const [one, two, three] = [
    await book('anna'),
    await book('bo', { endDate: '2027-07-05' }),
    await book('anna'),
  ];
  await pay(one);
  const found = async (query: string) =>
    (await get(`/v1/staff/reservations?hotelID=${hotelID}${query}`)).json.reservations.map(
      ({ reservation }: { reservation: { reservationID: string } }) => reservation.reservationID,
    );
  expect(await found('')).toEqual([three, two, one]);
  expect(await found('&userID=bo')).toEqual([two]);
  expect(await found('&status=paid')).toEqual([one]);
  expect(await found('&on=2027-07-04')).toEqual([two]);
  expect(await found('&on=2027-07-06')).toEqual([]);
  const page = await get(`/v1/staff/reservations?hotelID=${hotelID}&limit=2`);
  expect(await found(`&limit=2&cursor=${page.json.nextCursor}`)).toEqual([one]);
  expect((await get('/v1/staff/reservations')).status).toBe(400);
  const detail = await get(`/v1/staff/reservations/${one}`);
  expect([detail.status, detail.json.reservation.reservationID]).toEqual([200, one]);
  expect(detail.json).toMatchObject({
    userID: 'anna',
    reservation: { status: 'paid', paid: '200.00' },
    history: [
      { from: null, to: 'pending_payment' },
      { from: 'pending_payment', to: 'paid' },
    ],
  });
  expect(await found('&refundDue=true')).toEqual([]);
  await act(one, 'cancellation', { reason: 'The guest rang' });
  expect(await found('&refundDue=true')).toEqual([one]);
  expect((await get('/v1/staff/reservations/none')).status).toBe(404);
});

proves('H-010', {
  asked: 'staff list and search refunds and payment cancellations; the public API shows each change',
  shown: 'by status and refund due, with their actions; guests see both, their rooms, a new price and name',
  settings: ['the test confirms the payments, as the follower of payments does'],
  control: {
    in: 'hotel/staff/search.ts',
    change: 'AND (NOT $7 OR refund_due_minor > 0)',
    to: 'AND (NOT $7 OR refund_due_minor >= 0)',
  },
});
test('H-010: staff find refunds and payment cancellations; the public sees what they change', async () => {
  const [kept, refunded, stopped] = [await book(), await book('anna', { roomCount: '2' }), await book('bo')];
  await pay(kept);
  await pay(refunded, 40_000n);
  const seen = async (id: string, person = 'anna') =>
    (await served.call('GET', `/v1/reservations/${id}`, { token: served.tokens[person]! })).json;
  const found = async (query: string) =>
    (await get(`/v1/staff/reservations?hotelID=${hotelID}&${query}`)).json.reservations.map(
      ({ reservation }: { reservation: { reservationID: string } }) => reservation.reservationID,
    );
  expect([await found('refundDue=true'), await found('status=rejected')]).toEqual([[], []]);

  expect((await act(stopped, 'payment-cancellation', { reason: 'Asked by phone' })).status).toBe(200);
  expect((await seen(stopped, 'bo')).status).toBe('rejected');
  expect(await found('status=rejected')).toEqual([stopped]);
  expect((await actionsOf(stopped)).map(({ action }) => action)).toEqual(['cancel-payment']);

  const { clock } = served.database;
  const noon = clock.now;
  clock.now = new Date('2027-07-01T12:00:00Z');
  expect((await act(refunded, 'cancellation', { reason: 'Ill' })).status).toBe(200);
  expect(await seen(refunded)).toMatchObject({ status: 'cancelled', refundDue: '0.00' });
  expect(await found('refundDue=true')).toEqual([]);
  expect((await act(refunded, 'refund', { reason: 'Goodwill', refundDue: '80.00' })).status).toBe(200);
  clock.now = noon;
  expect(await seen(refunded)).toMatchObject({ status: 'cancelled', refundDue: '80.00' });
  expect(await found('refundDue=true')).toEqual([refunded]);
  expect((await actionsOf(refunded)).map(({ action }) => action)).toEqual(['refund', 'cancel']);

  const { rooms } = (await act(kept, 'rooms', {})).json;
  expect((await seen(kept)).roomNumbers).toEqual([rooms[0].number]);
  const rates = [{ roomTypeID: 'double', from: '2027-07-05', to: '2027-07-05', price: '77.50' }];
  const rated = await served.call('PUT', `/v1/staff/hotels/${hotelID}/rates`, {
    ...staff,
    body: { reason: 'Season', rates },
  });
  const day = '?startDate=2027-07-05&endDate=2027-07-05';
  const offer = await served.call('GET', `/v1/hotels/${hotelID}/room-types/double/availability${day}`);
  expect([rated.status, offer.json.nights[0].price]).toEqual([204, '77.50']);
  const { hotelID: _, ...hotel } = (await served.call('GET', `/v1/hotels/${hotelID}`)).json;
  const renamed = await served.call('PUT', `/v1/hotels/${hotelID}`, {
    ...{ token: await served.token('olle', 'operator'), listener: 'internal' },
    body: { ...hotel, name: 'Opera and Park' },
  });
  expect([renamed.status, renamed.json?.detail]).toEqual([200, undefined]);
  expect((await served.call('GET', `/v1/hotels/${hotelID}`)).json.name).toBe('Opera and Park');
});

proves('H-010', {
  asked: 'staff list and search hotels',
  shown: 'by a part of the name, with a sign that SQL knows; the counts of each day',
});
test('H-010: hotels by name, and the calendar with its counts', async () => {
  const made = await served.call('POST', '/v1/hotels', {
    token: served.tokens['olle']!,
    listener: 'internal',
    body: { ...opera, name: 'The 100 % Grand' },
  });
  const hotels = await get('/v1/staff/hotels?name=100%20%25%20gr');
  expect(hotels.json.hotels).toEqual([
    { hotelID: made.json.hotelID, name: 'The 100 % Grand', address: opera.address, rooms: 0 },
  ]);
  await book('anna', { roomCount: '10' });
  await served.database.sql.query(
    `UPDATE room_type_inventory SET total_inventory = 8 WHERE hotel_id = $1 AND date = '2027-07-02'`,
    [hotelID],
  );
  const { json } = await get(`/v1/staff/hotels/${hotelID}/calendar?from=2027-06-30&to=2027-07-03`);
  const rules = { overbookingPercent: 110, sellLimit: null, restrictions: {} };
  const counts = { totalInventory: 10, totalReserved: 10, overbooked: false };
  const day = { roomTypeID: 'double', ...counts, ...rules, rate: '100.00' };
  expect(json.days).toEqual([
    { ...day, date: '2027-07-01' },
    { ...day, date: '2027-07-02', totalInventory: 8, overbooked: true },
    { ...day, date: '2027-07-03', totalReserved: 0 },
  ]);
  expect((await get(`/v1/staff/hotels/${hotelID}/calendar?from=2027-07-03&to=2027-07-01`)).status).toBe(400);
  expect((await get('/v1/staff/hotels/none/calendar?from=2027-07-01&to=2027-07-01')).status).toBe(404);
});

proves('H-018', {
  asked: 'the actions of staff are in an audit list with who, when and why',
  shown: 'cancelled for a customer, who sees it; the log has person, moment, reason and outcome',
  settings: ['the test confirms the payments, as the follower of payments does'],
  control: {
    in: 'hotel/staff/audited.ts',
    change: 'action.subject, action.reason, JSON',
    to: 'action.subject, action.action, JSON',
  },
});
test('H-018: staff cancel for a customer, who sees it; the audit log has who, when and why', async () => {
  const id = await book();
  await pay(id);
  expect((await act(id, 'cancellation', {})).status).toBe(400);
  const { status, json } = await act(id, 'cancellation', { reason: 'Flight cancelled' });
  expect([status, json.status, json.refundDue]).toEqual([200, 'cancelled', '200.00']);
  const own = await served.call('GET', `/v1/reservations/${id}`, { token: served.tokens['anna']! });
  expect(own.json.status).toBe('cancelled');
  expect(await served.database.counts(hotelID)).toEqual(Array(10).fill(0));
  expect(await actionsOf(id)).toMatchObject([
    {
      action: 'cancel',
      outcome: 'changed',
      staffID: 'siv',
      reason: 'Flight cancelled',
      at: '2027-06-01T12:00:00.000Z',
    },
  ]);
});

proves('H-018', {
  asked: 'staff can cancel a payment; the audit list has who, when and why',
  shown: 'an expected payment is cancelled, its rooms free; a received one is refused; both are in the list',
  settings: ['the test confirms the payments, as the follower of payments does'],
  control: {
    in: 'hotel/reservations/settle-payment.ts',
    change: 'await releaseRooms(tx, [{ ...found, rooms: found.roomCount }]);\n  return { kind: ',
    to: 'await releaseRooms(tx, []);\n  return { kind: ',
  },
});

test('H-018: staff cancel an expected payment, which releases its rooms, but no received one', async () => {
  const [waiting, paid] = [await book(), await book()];
  await pay(paid);
  const stopped = await act(waiting, 'payment-cancellation', { reason: 'Asked by phone' });
  expect([stopped.status, stopped.json.status]).toEqual([200, 'rejected']);
  const own = await served.call('GET', `/v1/reservations/${waiting}`, { token: served.tokens['anna']! });
  expect(own.json.status).toBe('rejected');
  const refused = await act(paid, 'payment-cancellation', { reason: 'Asked by phone' });
  expect([refused.status, refused.json.code]).toEqual([409, 'reservation-not-changeable']);
  expect((await served.database.counts(hotelID)).slice(0, 2)).toEqual([1, 1]);
  const entry = {
    action: 'cancel-payment',
    staffID: 'siv',
    reason: 'Asked by phone',
    at: '2027-06-01T12:00:00.000Z',
  };
  expect(await actionsOf(waiting)).toMatchObject([{ ...entry, outcome: 'changed' }]);
  expect(await actionsOf(paid)).toMatchObject([{ ...entry, outcome: 'refused' }]);
});

proves('H-018', {
  asked: 'staff can trigger a refund; the audit list has who, when and why',
  shown: 'from the amount due to the amount paid, seen by the guest, in the list',
  settings: ['the test confirms the payments, as the follower of payments does'],
  control: {
    in: 'hotel/staff/request-refund.ts',
    change: 'minor > reservation.refundableMinor)',
    to: 'minor > reservation.paidMinor + 1n)',
  },
});

test('H-018: a refund beyond the policy must be between the amount due and the amount paid', async () => {
  const id = await book();
  await pay(id);
  const ask = (refundDue: string) => act(id, 'refund', { reason: 'Goodwill', refundDue });
  expect((await ask('50.00')).status).toBe(409);
  // Late: the policy refunds nothing of the price.
  const { clock } = served.database;
  const noon = clock.now;
  clock.now = new Date('2027-07-01T12:00:00Z');
  const cancelled = await act(id, 'cancellation', { reason: 'Ill' });
  expect(cancelled.json.refundDue).toBe('0.00');
  expect((await ask('80.00')).json.refundDue).toBe('80.00');
  for (const amount of ['79.99', '200.01', '1.999', '0', 'abc', '1e2'])
    expect((await ask(amount)).status, amount).toBe(400);
  expect((await ask('200.00')).json.refundDue).toBe('200.00');
  const own = await served.call('GET', `/v1/reservations/${id}`, { token: served.tokens['anna']! });
  expect(own.json).toMatchObject({ status: 'cancelled', refundDue: '200.00' });
  expect((await actionsOf(id))[0]).toMatchObject({
    action: 'refund',
    staffID: 'siv',
    reason: 'Goodwill',
    at: '2027-07-01T12:00:00.000Z',
    outcome: 'changed',
  });
  clock.now = noon;
  expect((await act('none', 'refund', { reason: 'x', refundDue: '1' })).status).toBe(404);
  const outcomes = (await actionsOf(id)).map(({ outcome }) => outcome);
  expect(outcomes.slice(0, 2)).toEqual(['changed', 'wrong-amount']);
});

test('P-105, H-018: one person of the staff refunds no more than REFUND_SECOND_PERSON_ABOVE', async () => {
  const id = await book('anna', { roomCount: '6' });
  await pay(id, 120_000n);
  const { clock } = served.database;
  const noon = clock.now;
  clock.now = new Date('2027-07-01T12:00:00Z');
  expect((await act(id, 'cancellation', { reason: 'Ill' })).json.refundDue).toBe('0.00');
  clock.now = noon;
  const ask = (refundDue: string) => act(id, 'refund', { reason: 'Goodwill', refundDue });
  const refused = await ask('1000.01');
  expect([refused.status, refused.json.code]).toEqual([409, 'refund-needs-second-person']);
  // The payment to refund by the payments API.
  expect(refused.json.detail).toContain(`p-${id}`);
  expect((await ask('600.00')).json.refundDue).toBe('600.00');
  // Also in two steps, and when others refunded a part of it.
  expect((await ask('1200.00')).status).toBe(409);
  const money = { version: 1, refundedMinor: 60_000n + 10_000n, disputedMinor: 0n };
  await served.database
    .reservations()
    .noteMoney({ reservationId: id, paymentId: `p-${id}`, ...money, refundableMinor: 110_000n });
  expect((await ask('900.01')).status).toBe(409);
  expect((await ask('600.00')).json.refundDue).toBe('600.00');
  expect((await ask('900.00')).json.refundDue).toBe('900.00');
  expect((await actionsOf(id)).map(({ outcome }) => outcome).slice(0, 3)).toEqual([
    'changed',
    'unchanged',
    'needs-second',
  ]);
});

test('P-105: one person of the staff refunds at most REFUNDS_ALONE_IN_A_DAY, also at once', async () => {
  const { clock, sql } = served.database;
  const noon = clock.now;
  const ids: string[] = [];
  for (let stay = 0; stay < 6; stay += 1) {
    const id = await book('anna', { hotelID: await served.database.hotel(), roomCount: '6' });
    await pay(id, 120_000n);
    ids.push(id);
  }
  clock.now = new Date('2027-07-01T12:00:00Z');
  for (const id of ids)
    expect((await act(id, 'cancellation', { reason: 'Ill' })).json.refundDue).toBe('0.00');
  const token = await served.token('fay', 'desk');
  const ask = (id: string, refundDue: string, person = token) =>
    served.call('POST', `/v1/staff/reservations/${id}/refund`, {
      token: person,
      listener: 'internal',
      body: { reason: 'Goodwill', refundDue },
    });
  const answers = await Promise.all(ids.map((id) => ask(id, '900.00')));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 409]);
  const last = ids[answers.findIndex(({ status }) => status === 409)]!;
  expect(answers.find(({ status }) => status === 409)!.json.code).toBe('refund-needs-second-person');
  expect((await ask(last, '500.00')).status).toBe(200);
  expect((await ask(last, '500.01')).status).toBe(409);
  // Another person has a limit of their own, and so has the next day.
  expect((await ask(last, '500.01', staff.token)).status).toBe(200);
  clock.now = new Date('2027-07-02T12:00:01Z');
  expect((await ask(last, '500.02')).status).toBe(200);
  clock.now = noon;
  await expect(sql.query('DELETE FROM staff_refund')).rejects.toThrow('only added to');
});

test('the audit log is append-only, and an interrupted action stays without an outcome', async () => {
  const { sql } = served.database;
  await sql.query(
    `INSERT INTO staff_action (at, staff_id, action, subject, reason) VALUES (now(), 'siv', 'cancel', 'cut', 'x')`,
  );
  expect((await actionsOf('cut'))[0]?.outcome).toBeNull();
  for (const statement of [
    `UPDATE staff_action SET reason = 'y' WHERE subject = 'cut'`,
    `UPDATE staff_action SET staff_id = 'olle', outcome = 'changed' WHERE subject = 'cut'`,
    `DELETE FROM staff_action WHERE subject = 'cut'`,
    'TRUNCATE staff_action',
  ])
    await expect(sql.query(statement), statement).rejects.toThrow('only added to');
  await sql.query(`UPDATE staff_action SET outcome = 'changed' WHERE subject = 'cut'`);
  await expect(sql.query(`UPDATE staff_action SET outcome = 'x' WHERE subject = 'cut'`)).rejects.toThrow();
});

test('H-007, H-008, H-068: staff set prices by day and occupancy; reserved prices stay', async () => {
  const put = (body: object) =>
    served.call('PUT', `/v1/staff/hotels/${hotelID}/rates`, {
      ...staff,
      body: { reason: 'Season', ...body },
    });
  const prices = async () => {
    const range = '?startDate=2027-07-01&endDate=2027-07-03';
    const { json } = await served.call('GET', `/v1/hotels/${hotelID}/room-types/double/availability${range}`);
    return json.nights.map(({ price }: { price: string }) => price);
  };
  const before = await book();
  const rate = { roomTypeID: 'double', from: '2027-07-02', to: '2027-07-03', price: '150.50' };
  expect((await put({ rates: [rate] })).status).toBe(204);
  expect(await prices()).toEqual(['100.00', '150.50', '150.50']);
  expect((await put({ steps: [{ fromOccupancyPercent: 60, pricePercent: 200 }] })).status).toBe(204);
  await book('bo', { roomCount: '6', startDate: '2027-07-02' });
  expect(await prices()).toEqual(['100.00', '301.00', '150.50']);
  const own = await served.call('GET', `/v1/reservations/${before}`, { token: served.tokens['anna']! });
  expect(own.json.price).toBe('200.00');
  for (const wrong of [
    { rates: [{ ...rate, price: '0' }] },
    { rates: [{ ...rate, price: '1.005' }] },
    { rates: [{ ...rate, price: '99999999999.00' }] },
    { rates: [{ ...rate, to: '2027-07-01' }] },
    { rates: [{ ...rate, roomTypeID: 'castle' }] },
    {
      steps: [
        { fromOccupancyPercent: 1, pricePercent: 5 },
        { fromOccupancyPercent: 1, pricePercent: 6 },
      ],
    },
  ])
    expect((await put(wrong)).status, JSON.stringify(wrong)).toBe(400);
  expect((await actionsOf(hotelID)).map(({ action }) => action)).toEqual(['set-rates', 'set-rates']);
});

proves('H-054', {
  asked: 'no room number at creation; assigned later it is visible',
  shown: 'two rooms assigned after payment, visible to the guest; none is assigned twice',
  settings: ['the test confirms the payments, as the follower of payments does'],
  control: {
    in: 'hotel/http/reservation-view.ts',
    change: 'roomNumbers === undefined || roomNumbers.length === 0 ?',
    to: "roomNumbers === undefined || reservation.status === 'paid' ?",
  },
});
proves('H-010', {
  asked: 'each change made in the administration is visible through the public API',
  shown: 'the guest reads checked_in after check-in, completed after check-out, another no_show',
  settings: ['the test confirms the payments, as the follower of payments does'],
  control: {
    in: 'hotel/http/reservation-view.ts',
    change: 'status: reservation.status,',
    to: "status: reservation.status === 'checked_in' ? 'paid' : reservation.status,",
  },
});
test('H-010, H-054: guests see rooms assigned later, check-in, check-out and no-show', async () => {
  const { clock } = served.database;
  const noon = clock.now;
  const [guest, absent] = [await book('anna', { roomCount: '2' }), await book('bo')];
  const desk = (id: string, what: string, body: object = {}) => act(id, what, body);
  const seen = async (id = guest, person = 'anna') =>
    (await served.call('GET', `/v1/reservations/${id}`, { token: served.tokens[person]! })).json;
  expect((await seen()).roomNumbers).toBeUndefined();
  expect((await desk(guest, 'check-in')).status).toBe(409);
  await pay(guest, 40_000n);
  expect((await seen()).roomNumbers).toBeUndefined();
  await pay(absent);
  const assigned = await desk(guest, 'rooms');
  expect([assigned.status, assigned.json.rooms.length]).toEqual([200, 2]);
  expect((await seen()).roomNumbers).toEqual(
    assigned.json.rooms.map(({ number }: { number: string }) => number).toSorted(),
  );
  const taken = { roomIDs: [assigned.json.rooms[0].roomID] };
  expect((await desk(absent, 'rooms', taken)).json.code).toBe('no-free-rooms');
  expect((await desk(guest, 'check-in')).status).toBe(409);
  clock.now = new Date('2027-07-01T14:00:00Z');
  expect((await desk(guest, 'check-in')).json.status).toBe('checked_in');
  expect((await seen()).status).toBe('checked_in');
  expect((await desk(absent, 'no-show')).status).toBe(409);
  clock.now = new Date('2027-07-02T14:00:00Z');
  expect((await desk(absent, 'no-show', { reason: 'Did not come' })).json.status).toBe('no_show');
  expect((await seen(absent, 'bo')).status).toBe('no_show');
  expect((await desk(guest, 'check-out')).json.status).toBe('completed');
  expect((await seen()).status).toBe('completed');
  expect((await desk('none', 'check-in')).status).toBe(404);
  clock.now = noon;
  expect((await actionsOf(guest)).map(({ action, outcome }) => [action, outcome])).toEqual([
    ['check-out', 'changed'],
    ['check-in', 'changed'],
    ['check-in', 'refused'],
    ['assign-rooms', 'assigned'],
    ['check-in', 'refused'],
  ]);
});

test('a dirty room is refused at check-in, unless staff say why', async () => {
  const { clock, sql } = served.database;
  const noon = clock.now;
  const id = await book();
  await pay(id);
  await act(id, 'rooms', {});
  await sql.query(
    `UPDATE room SET status = 'dirty'
     WHERE hotel_id = $1 AND room_id IN (SELECT room_id FROM room_night WHERE reservation_id = $2)`,
    [hotelID, id],
  );
  clock.now = new Date('2027-07-01T14:00:00Z');
  expect((await act(id, 'check-in', {})).status).toBe(409);
  const unexplained = await act(id, 'check-in', { dirtyRooms: true });
  expect([unexplained.status, unexplained.json.errors[0].pointer]).toEqual([400, '/reason']);
  const entered = await act(id, 'check-in', { dirtyRooms: true, reason: 'The child is tired' });
  expect(entered.json.status).toBe('checked_in');
  clock.now = noon;
  expect((await actionsOf(id))[0]).toMatchObject({
    action: 'check-in',
    reason: 'The child is tired',
    outcome: 'changed',
  });
  await act(id, 'check-out', {});
});

test('H-039: the owner sees the numbers of assigned rooms', async () => {
  const id = await book();
  await served.database.sql.query(
    `INSERT INTO room_night (hotel_id, room_id, date, reservation_id)
     SELECT $1, 'room-4', d::date, $2 FROM generate_series('2027-07-01'::date, '2027-07-02', '1 day') d`,
    [hotelID, id],
  );
  const own = await served.call('GET', `/v1/reservations/${id}`, { token: served.tokens['anna']! });
  expect(own.json.roomNumbers).toEqual(['4']);
  expect(await served.database.reservations().get(id, { userId: 'anna' as UserId })).toBeDefined();
});

test('the audit list of a hotel has its rates, rooms and blocks for staff of that hotel alone', async () => {
  const path = `/v1/staff/hotels/${hotelID}`;
  const done = [
    served.call('PUT', `${path}/rooms/room-1/housekeeping`, { ...staff, body: { status: 'dirty' } }),
    served.call('PUT', `${path}/house-rules`, {
      ...staff,
      body: { checkInNeeds: 'clean', noShowAt: null, reason: 'as always' },
    }),
  ];
  for (const answer of await Promise.all(done)) expect(answer.status).toBeLessThan(300);
  // A customer names a reservation like the hotel: what happens to it is not of this hotel.
  const other = await served.database.hotel({ total: 2 });
  await book('anna', { hotelID: other, reservationID: hotelID });
  await act(hotelID, 'cancellation', { reason: 'of the other hotel' });
  const seen = async (properties: readonly string[]) => {
    const token = await served.token('ann', 'desk', properties);
    const { json } = await served.call('GET', `/v1/staff/actions?subject=${hotelID}`, { ...staff, token });
    return json.actions.map(({ action }: { action: string }) => action).toSorted();
  };
  expect(await seen([hotelID])).toEqual(['set-house-rules', 'set-room-status']);
  expect(await seen([other])).toEqual(['cancel']);
  expect(await seen(['nowhere'])).toEqual([]);
});
