import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { settings } from '#platform/config/settings.js';
import { proves } from '#tools/acceptance/proves.js';
import { reservationForms, type ServedHotels, serveHotels } from './served-hotels.js';

let served: ServedHotels;
let hotelID: string;

beforeAll(async () => {
  served = await serveHotels();
});
afterAll(async () => {
  await served?.database.prove();
  await served?.close();
});
beforeEach(async () => {
  hotelID = await served.database.hotel({ total: 10, firstDay: '2027-06-30', days: 5 });
});

const form = reservationForms(() => hotelID);
const as = (person: string) => {
  const token = served.tokens[person]!;
  return {
    post: (body: object) => served.call('POST', '/v1/reservations', { token, body }),
    get: (id: string) => served.call('GET', `/v1/reservations/${id}`, { token }),
    cancel: (id: string) => served.call('DELETE', `/v1/reservations/${id}`, { token }),
  };
};
const counts = () => served.database.counts(hotelID);
/** Prices of the nights from 1 to 3 July, as a guest is shown them. */
async function shown(): Promise<readonly unknown[]> {
  const { status, json } = await served.call(
    'GET',
    `/v1/hotels/${hotelID}/room-types/double/availability?startDate=2027-07-01&endDate=2027-07-03`,
  );
  expect(status).toBe(200);
  return json.nights.map(({ price }: { readonly price?: string }) => price);
}
async function setRates(body: object): Promise<void> {
  const { status } = await served.call('PUT', `/v1/staff/hotels/${hotelID}/rates`, {
    token: served.tokens['siv']!,
    listener: 'internal',
    body: { reason: 'Season', ...body },
  });
  expect(status).toBe(204);
}
const rateOn = (date: string, price: string) =>
  setRates({ rates: [{ roomTypeID: 'double', from: date, to: date, price }] });

proves('H-004', {
  asked: 'paid after one payment of exactly the sum of price × rooms over the nights; one cent off: unpaid',
  shown: '2 rooms at 100.00, 150.51 and 100.00: 701.02 pays; 701.01, 701.03 and another currency do not',
  settings: ['the test confirms the payments, as the follower of payments does'],
  control: {
    in: 'hotel/reservations/confirm-batch.ts',
    change: 'AND r.price_minor = q.amount AND',
    to: 'AND r.price_minor >= q.amount AND',
  },
});
proves('H-017', {
  asked: 'after the payment GET shows the paid state; the same once more changes nothing',
  shown:
    'GET as pending_payment, after the payment as paid, after the same payment again byte for byte equal',
  settings: ['the test confirms the payments, as the follower of payments does'],
});
test('H-004, H-017: a guest sees paid after exactly the sum of all nights and rooms, and once', async () => {
  await rateOn('2027-07-02', '150.51');
  const { reservationID } = form();
  const made = await as('anna').post(form({ roomCount: '2', reservationID }));
  expect([made.status, made.json.status, made.json.price]).toEqual([201, 'pending_payment', '701.02']);
  const reservations = served.database.reservations();
  const confirm = (paymentId: string, amountMinor: bigint, currency = 'SEK') =>
    reservations.confirmPayment({ reservationId: reservationID, paymentId, amountMinor, currency });
  for (const [payment, amount, currency] of [
    ['less', 70_101n, 'SEK'],
    ['more', 70_103n, 'SEK'],
    ['one-night', 20_000n, 'SEK'],
    ['one-room', 35_051n, 'SEK'],
    ['euros', 70_102n, 'EUR'],
  ] as const) {
    expect(await confirm(payment, amount, currency)).toMatchObject({
      kind: 'refund',
      reason: 'wrong-amount',
    });
    const { json } = await as('anna').get(reservationID);
    expect([payment, json.status, json.paid]).toEqual([payment, 'pending_payment', '0.00']);
  }
  expect((await confirm('exact', 70_102n)).kind).toBe('paid');
  const paid = await as('anna').get(reservationID);
  expect([paid.status, paid.json.status, paid.json.paid]).toEqual([200, 'paid', '701.02']);
  expect((await confirm('exact', 70_102n)).kind).toBe('paid-before');
  expect((await as('anna').get(reservationID)).text).toBe(paid.text);
});

proves('H-005', {
  asked: 'a customer cancels a reservation and sees it as cancelled',
  shown: 'DELETE of their own: cancelled in its answer, in GET and in their list',
  control: {
    in: 'hotel/reservations/cancel-reservation.ts',
    change: "? [reservationId, 'cancelled', found.roomCount,",
    to: '? [reservationId, found.status, found.roomCount,',
  },
});
proves('H-041', {
  asked: 'the owner cancels: cancelled, each day falls by exactly roomCount; another: 404, nothing changes',
  shown: 'cancelled, 3 rooms on 3 nights: 0 4 4 4 0 to 0 1 1 1 0; another user 404, no row of either table',
  control: {
    in: 'hotel/reservations/cancel-reservation.ts',
    change: 'releaseRooms(tx, [{ ...found, rooms: given }, ',
    to: 'releaseRooms(tx, [{ ...found, rooms: Math.min(given, 1) }, ',
  },
});
test('H-005, H-041: only the owner cancels; nights fall by its rooms, and it reads cancelled', async () => {
  const { reservationID } = form();
  expect((await as('bo').post(form())).status).toBe(201);
  expect((await as('anna').post(form({ roomCount: '3', reservationID }))).status).toBe(201);
  expect(await counts()).toEqual([0, 4, 4, 4, 0]);
  const rows = async () =>
    (
      await served.database.sql.query(
        `SELECT i::text || i.xmin AS day, r::text || r.xmin AS reservation
         FROM room_type_inventory i JOIN reservation r USING (hotel_id) WHERE hotel_id = $1 ORDER BY 1, 2`,
        [hotelID],
      )
    ).rows;
  const before = await rows();
  expect((await as('bo').cancel(reservationID)).status).toBe(404);
  expect(await rows()).toEqual(before);
  const cancelled = await as('anna').cancel(reservationID);
  expect([cancelled.status, cancelled.json.status]).toEqual([200, 'cancelled']);
  expect(await counts()).toEqual([0, 1, 1, 1, 0]);
  expect((await as('anna').get(reservationID)).json.status).toBe('cancelled');
  const list = await served.call('GET', '/v1/reservations', { token: served.tokens['anna']! });
  expect(list.json.reservations[0]).toMatchObject({ reservationID, status: 'cancelled' });
});

proves('H-007', {
  asked: 'nights D and D+1 can differ; the price shown today for D and shown tomorrow can differ',
  shown: 'D 150.50 beside 100.00; a day later D is shown at 175.25, and a booking costs what is shown',
  control: {
    in: 'hotel/schema/rate-plans.ts',
    change: 'ELSE r.price_minor END\n',
    to: 'ELSE min(r.price_minor) OVER () END\n',
  },
});
test('H-007: each night has its price, and tomorrow the same night is shown at another', async () => {
  const { clock } = served.database;
  const today = clock.now;
  await rateOn('2027-07-02', '150.50');
  expect(await shown()).toEqual(['100.00', '150.50', '100.00']);
  const first = await as('anna').post(form());
  clock.now = new Date(today.getTime() + 86_400_000);
  await rateOn('2027-07-02', '175.25');
  expect(await shown()).toEqual(['100.00', '175.25', '100.00']);
  const second = await as('anna').post(form());
  clock.now = today;
  expect([first.json.price, second.json.price]).toEqual(['350.50', '375.25']);
});

proves('H-008', {
  asked: 'raising the occupancy of day D changes the quote of D and leaves D+1 unchanged',
  shown: '6 of 10 rooms sold on D: 100.00 becomes 120.00, the days beside it stay; back after a cancellation',
  settings: ['staff set the step, 120 % of the price from 60 % on; a hotel without steps has none'],
});
test('H-008: rooms sold for one day raise the price that is shown for that day alone', async () => {
  await setRates({ steps: [{ fromOccupancyPercent: 60, pricePercent: 120 }] });
  const onD = { startDate: '2027-07-02', endDate: '2027-07-02' };
  expect((await as('bo').post(form({ ...onD, roomCount: '5' }))).status).toBe(201);
  expect(await shown()).toEqual(['100.00', '100.00', '100.00']);
  const sixth = form(onD);
  expect((await as('anna').post(sixth)).json.price).toBe('100.00');
  expect(await shown()).toEqual(['100.00', '120.00', '100.00']);
  const threeDays = form();
  expect((await as('anna').post(threeDays)).json.price).toBe('320.00');
  await as('anna').cancel(sixth.reservationID);
  expect(await shown()).toEqual(['100.00', '120.00', '100.00']);
  await as('anna').cancel(threeDays.reservationID);
  expect(await shown()).toEqual(['100.00', '100.00', '100.00']);
});

proves('H-015', {
  asked: 'prices of future dates; a date without a rate is an explicit error, never price 0',
  shown:
    'three nights with prices; without one rate: no price, no total, hotel `not-sold`, POST 409 `no-rate`',
  control: {
    in: 'hotel/schema/reserve-by-plan.ts',
    change: 'rates := array_fill(NULL::bigint,',
    to: 'rates := array_fill(0::bigint,',
  },
});
test('H-015: future nights have prices; one without a rate has none and cannot be booked', async () => {
  expect(await shown()).toEqual(['100.00', '100.00', '100.00']);
  await served.database.sql.query(`DELETE FROM room_type_rate WHERE hotel_id = $1 AND date = '2027-07-02'`, [
    hotelID,
  ]);
  expect(await shown()).toEqual(['100.00', undefined, '100.00']);
  const stay = `startDate=2027-07-01&endDate=2027-07-03`;
  const quote = await served.call('GET', `/v1/hotels/${hotelID}/room-types/double/availability?${stay}`);
  expect(quote.json.stay).toBeUndefined();
  // In a list of hotels this one says why it has no price.
  const listed = await served.call('GET', `/v1/hotels/${hotelID}/stay-price?${stay}`);
  expect([listed.status, listed.json.reason, listed.json.cheapest]).toEqual([200, 'not-sold', undefined]);
  const offers = await served.call('GET', `/v1/hotels/${hotelID}/room-types/double/offers?${stay}`);
  expect(offers.json.offers).toHaveLength(1);
  const [offer] = offers.json.offers;
  const { price, ...night } = offer.nights[1];
  expect([night, price, offer.stay]).toEqual([{ date: '2027-07-02' }, undefined, undefined]);
  const { status, json } = await as('anna').post(form());
  expect([status, json.code, json.dates]).toEqual([409, 'no-rate', ['2027-07-02']]);
  expect(await counts()).toEqual([0, 0, 0, 0, 0]);
});

proves('H-012', {
  asked: 'a booking call without a token is 401, one over the limit 429 with Retry-After',
  shown: '401 without and with a broken token; the 121st call of a user in a minute is 429, another books',
  settings: [
    'holdsPerUserMax 1,000',
    '1,000,000 requests a minute of a user and of an address, beside the 120 bookings',
    'turnBudgetMs 10,000',
    'the clock of the limiter stands still',
  ],
  control: {
    in: 'platform/http/admission/memory-rate-limiter.ts',
    change: 'const allowed = level >= 1;',
    to: 'const allowed = level >= 0;',
  },
});
test('H-012: bookings need a token, and a user has as many in a minute as the default allows', async () => {
  const bookingsPerUserMax = Number(settings.BOOKINGS_PER_USER.fallback);
  expect(bookingsPerUserMax).toBe(120);
  const limited = await serveHotels({ bookingsPerUserMax });
  try {
    const hotel = await limited.database.hotel({ total: 200 });
    const send = (token: string | undefined, reservationID: string) =>
      limited.call('POST', '/v1/reservations', {
        ...(token === undefined ? {} : { token }),
        body: form({ hotelID: hotel, endDate: '2027-07-01', reservationID }),
      });
    const { anna, bo } = limited.tokens;
    for (const token of [undefined, `${anna}x`]) {
      const refused = await send(token, 'nobody');
      expect([refused.status, refused.headers.get('content-type')]).toEqual([
        401,
        'application/problem+json',
      ]);
    }
    expect((await limited.database.counts(hotel))[0]).toBe(0);
    const answers = [];
    for (let call = 1; call <= 121; call += 1) answers.push(await send(anna, `limit-${call}`));
    expect(answers.slice(0, 120).map(({ status }) => status)).toEqual(Array(120).fill(201));
    const last = answers[120]!;
    const retryAfterS = Number(last.headers.get('retry-after'));
    expect([last.status, last.headers.get('content-type')]).toEqual([429, 'application/problem+json']);
    expect(retryAfterS).toBeGreaterThan(0);
    expect(retryAfterS).toBeLessThanOrEqual(60);
    expect((await limited.database.counts(hotel))[0]).toBe(120);
    expect((await send(bo, 'limit-bo')).status).toBe(201);
  } finally {
    await limited.close();
  }
});
