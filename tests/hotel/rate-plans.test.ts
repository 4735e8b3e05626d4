import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { proves } from '#tools/acceptance/proves.js';
import { requestFor } from './inventory-database.js';
import { type Ask, type ServedHotels, serveHotels } from './served-hotels.js';

let hotels: ServedHotels;
beforeAll(async () => {
  hotels = await serveHotels();
});
afterAll(() => hotels?.close());

const staff = (method: string, path: string, body?: object) =>
  hotels.call(method, `/v1/staff/hotels/${path}`, {
    token: hotels.tokens['siv']!,
    listener: 'internal',
    ...(body === undefined ? {} : { body }),
  } as Ask);
const plan = (hotelId: string, id: string, given: object = {}) =>
  staff('PUT', `${hotelId}/room-types/double/rate-plans/${id}`, {
    reason: 'season',
    name: 'Flexible',
    meal: 'none',
    cancellation: { refundable: true },
    valid: [{ from: '2027-06-01', to: '2027-12-31' }],
    price: { rule: 'derived' },
    ...given,
  });
const ari = (hotelId: string, ...updates: readonly object[]) =>
  staff('PUT', `${hotelId}/ari`, {
    reason: 'season',
    updates: updates.map((update) => ({
      roomTypeIDs: ['double'],
      from: '2027-07-01',
      to: '2027-07-10',
      ...update,
    })),
  });
const offers = async (hotelId: string, query = '') =>
  (
    await hotels.call(
      'GET',
      `/v1/hotels/${hotelId}/room-types/double/offers?startDate=2027-07-01&endDate=2027-07-02${query}`,
    )
  ).json.offers;
const reserve = (hotelId: string, given: object = {}) =>
  hotels.call('POST', '/v1/reservations', {
    token: hotels.tokens['anna']!,
    body: {
      startDate: '2027-07-01',
      endDate: '2027-07-02',
      hotelID: hotelId,
      roomTypeID: 'double',
      roomCount: '1',
      reservationID: crypto.randomUUID(),
      ...given,
    },
  });

describe('rate plans', () => {
  proves('H-010', {
    asked: 'each change made there is visible through the public API',
    shown: 'a guest books under a plan of staff at its price; once staff have removed it, no longer',
    control: {
      in: 'hotel/rates/rate-plans.ts',
      change: '    [hotelId, roomTypeId, planId],\n  );\n  if (rowCount === 0)',
      to: '    [hotelId, roomTypeId, `${planId}+`],\n  );\n  if (rowCount === 1)',
    },
  });
  test('H-010: a reservation keeps the plan, price and terms that it was sold under', async () => {
    const hotelId = await hotels.database.hotel();
    const breakfast = {
      name: 'With breakfast',
      meal: 'breakfast',
      cancellation: { refundable: false, lateCancelPercent: 80 },
      price: { rule: 'derived', percent: 90, amount: '25.50' },
    };
    expect((await plan(hotelId, 'bb', breakfast)).status).toBe(200);
    const made = await reserve(hotelId, { ratePlanID: 'bb' });
    expect(made).toMatchObject({
      status: 201,
      json: {
        price: '231.00',
        nights: [{ price: '115.50' }, { price: '115.50' }],
        ratePlan: { ratePlanID: 'bb', name: 'With breakfast', meal: 'breakfast' },
        refundableRate: false,
        lateCancelPercent: 80,
        freeCancelUntil: '2027-06-01T11:59:59.000Z',
      },
    });
    await plan(hotelId, 'bb', { name: 'Other', meal: 'none', price: { rule: 'derived', percent: 200 } });
    const id = made.json.reservationID;
    const read = () => hotels.call('GET', `/v1/reservations/${id}`, { token: hotels.tokens['anna']! });
    expect((await read()).json).toEqual(made.json);
    expect((await staff('DELETE', `${hotelId}/room-types/double/rate-plans/bb`)).status).toBe(204);
    expect((await read()).json).toEqual(made.json);
    expect((await reserve(hotelId, { ratePlanID: 'bb' })).status).toBe(404);
    expect((await reserve(hotelId, { ratePlanID: 'bb', reservationID: id })).status).toBe(200);
    // What was not refundable is kept in the agreed part.
    await hotels.database.reservations().confirmPayment({
      ...{ reservationId: id, paymentId: 'p-bb', amountMinor: 23_100n, currency: 'SEK' },
    });
    const gone = await hotels.call('DELETE', `/v1/reservations/${id}`, { token: hotels.tokens['anna']! });
    expect(gone.json).toMatchObject({ status: 'cancelled', refundDue: '46.20' });
  });

  test('without a plan everything is as before: the rate and the terms of the room type', async () => {
    const hotelId = await hotels.database.hotel();
    await plan(hotelId, 'nonref', { cancellation: { refundable: false } });
    const made = await reserve(hotelId);
    expect(made.json).toMatchObject({ price: '200.00', refundableRate: true, lateCancelPercent: 100 });
    expect(made.json).not.toHaveProperty('ratePlan');
    expect(await offers(hotelId)).toMatchObject([
      { name: 'Double', refundable: true, total: '200.00' },
      { ratePlanID: 'nonref', refundable: false, total: '200.00' },
    ]);
  });

  test('plans follow each other, and own prices are dated', async () => {
    const hotelId = await hotels.database.hotel();
    await plan(hotelId, 'base', { price: { rule: 'own' } });
    await plan(hotelId, 'half', { price: { rule: 'derived', from: 'base', percent: 50 } });
    await plan(hotelId, 'deep', { price: { rule: 'derived', from: 'half', amount: '-1.01' } });
    const totals = async () => (await offers(hotelId)).map((offer: { total?: string }) => offer.total);
    expect(await totals()).toEqual(['200.00', undefined, undefined, undefined]);
    const priced = { ratePlanID: 'base', from: '2027-07-02', to: '2027-07-02' };
    expect(
      (await ari(hotelId, { ratePlanID: 'base', price: '80.00' }, { ...priced, price: '99.99' })).status,
    ).toBe(204);
    // 179.99, 40.00 + 50.00 (49.995 is rounded), and each 1.01 less.
    expect(await totals()).toEqual(['200.00', '179.99', '87.98', '90.00']);
    expect(await ari(hotelId, { ratePlanID: 'half', price: '1.00' })).toMatchObject({
      status: 409,
      json: { code: 'unknown-rate-plan' },
    });
    expect(await totals()).toEqual(['200.00', '179.99', '87.98', '90.00']);
    // Nights outside the plan's days have no price.
    await plan(hotelId, 'base', {
      price: { rule: 'own' },
      valid: [{ from: '2027-07-02', to: '2027-07-05' }],
    });
    expect(await reserve(hotelId, { ratePlanID: 'base' })).toMatchObject({
      status: 409,
      json: { code: 'no-rate', dates: ['2027-07-01'] },
    });
  });

  test('refuses a plan that overlaps itself, a circle, an unknown base and a price below zero', async () => {
    const hotelId = await hotels.database.hotel();
    const overlap = await plan(hotelId, 'a', {
      valid: [
        { from: '2027-07-05', to: '2027-07-09' },
        { from: '2027-06-01', to: '2027-07-05' },
      ],
    });
    expect(overlap).toMatchObject({ status: 400, json: { errors: [{ pointer: '/valid/0' }] } });
    expect(await plan(hotelId, 'a', { valid: [{ from: '2027-07-05', to: '2027-07-04' }] })).toMatchObject({
      status: 400,
      json: { errors: [{ pointer: '/valid/0/to' }] },
    });
    expect((await plan(hotelId, 'a', { price: { rule: 'derived', from: 'none' } })).json.code).toBe(
      'unknown-base-plan',
    );
    expect((await plan(hotelId, 'a', { price: { rule: 'derived', from: 'a' } })).json.code).toBe(
      'rate-plan-circle',
    );
    await plan(hotelId, 'a');
    await plan(hotelId, 'b', { price: { rule: 'derived', from: 'a' } });
    await plan(hotelId, 'c', { price: { rule: 'derived', from: 'b' } });
    expect((await plan(hotelId, 'a', { price: { rule: 'derived', from: 'c' } })).json.code).toBe(
      'rate-plan-circle',
    );
    expect((await staff('DELETE', `${hotelId}/room-types/double/rate-plans/a`)).json.code).toBe(
      'rate-plan-in-use',
    );
    expect(
      await plan(hotelId, 'c', { price: { rule: 'derived', from: 'b', amount: '-100.00' } }),
    ).toMatchObject({
      status: 409,
      json: { code: 'no-price-left', dates: ['2027-07-01'] },
    });
    await plan(hotelId, 'c', { price: { rule: 'derived', from: 'b', amount: '-99.99' } });
    expect((await ari(hotelId, { price: '99.99' })).json).toMatchObject({ code: 'no-price-left' });
    expect((await offers(hotelId)).at(-1)).toMatchObject({ ratePlanID: 'c', total: '0.02' });
    for (const amount of ['-1.001', '1e3', '--1']) {
      expect((await plan(hotelId, 'd', { price: { rule: 'derived', amount } })).status, amount).toBe(400);
    }
    const listed = await staff('GET', `${hotelId}/room-types/double/rate-plans`);
    expect(listed.json.ratePlans.map((one: { ratePlanID: string }) => one.ratePlanID)).toEqual([
      'a',
      'b',
      'c',
    ]);
    for (let more = 3; more < 20; more += 1) expect((await plan(hotelId, `p${more}`)).status).toBe(200);
    expect((await plan(hotelId, 'p20')).json.code).toBe('too-many-rate-plans');
  });

  test('two plans that would close a circle together: the second is refused', async () => {
    const hotelId = await hotels.database.hotel();
    await plan(hotelId, 'a');
    await plan(hotelId, 'b');
    const both = await Promise.all([
      plan(hotelId, 'a', { price: { rule: 'derived', from: 'b' } }),
      plan(hotelId, 'b', { price: { rule: 'derived', from: 'a' } }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });
});

describe('prices by adults and occupancy', () => {
  const adults = (hotelId: string, prices: readonly object[]) =>
    staff('PUT', `${hotelId}/room-types/double/adult-prices`, { reason: 'season', prices });

  test('a price depends on the adults that are given, and on the occupancy of that night', async () => {
    const hotelId = await hotels.database.hotel({ total: 10 });
    await plan(hotelId, 'bb', { price: { rule: 'derived', amount: '20.00' } });
    expect(
      (
        await adults(hotelId, [
          { adults: 1, percent: 80 },
          { adults: 2, amount: '5.00' },
        ])
      ).status,
    ).toBe(204);
    const total = async (query: string) =>
      (await offers(hotelId, query)).map((offer: { total?: string }) => offer.total);
    expect(await total('')).toEqual(['200.00', '240.00']);
    expect(await total('&adults=1')).toEqual(['160.00', '192.00']);
    expect(await total('&adults=2')).toEqual(['210.00', '250.00']);
    const single = await reserve(hotelId, {
      ratePlanID: 'bb',
      adults: '1',
      roomCount: '5',
      endDate: '2027-07-01',
    });
    expect(single.json).toMatchObject({ price: '480.00', adults: '1' });
    // From 50 % on 10 % more: only the first of the two nights.
    await hotels.database.sql.query('INSERT INTO rate_step VALUES ($1, 50, 110)', [hotelId]);
    expect(await total('&adults=1')).toEqual(['168.00', '201.60']);
    expect((await reserve(hotelId, { adults: '1' })).json.price).toBe('168.00');
    expect(await reserve(hotelId, { adults: '3' })).toMatchObject({
      status: 422,
      json: { code: 'too-many-adults' },
    });
    for (const wrong of ['0', '51', 'two', 2])
      expect((await reserve(hotelId, { adults: wrong })).status).toBe(400);
    expect((await adults(hotelId, [{ adults: 1 }, { adults: 1 }])).status).toBe(400);
  });
});

describe('overbooking and limits by day', () => {
  const sell = async (hotelId: string, roomCount: number) =>
    (
      await hotels.database
        .reservations({ holdsPerUserMax: 1_000 })
        .reserve(requestFor(hotelId, { roomCount }))
    ).kind;

  test('each day has its own overbooking; lowering it below what is sold sells nothing more', async () => {
    const hotelId = await hotels.database.hotel({ total: 5 });
    expect((await ari(hotelId, { overbookingPercent: 100 })).status).toBe(204);
    expect(await sell(hotelId, 5)).toBe('reserved');
    expect(await sell(hotelId, 1)).toBe('insufficient');
    await ari(hotelId, { overbookingPercent: 200, to: '2027-07-02' });
    expect(await sell(hotelId, 1)).toBe('insufficient');
    await ari(hotelId, { overbookingPercent: 150, from: '2027-07-03', to: '2027-07-03' });
    expect(await sell(hotelId, 2)).toBe('reserved');
    expect(await sell(hotelId, 1)).toBe('insufficient');
    await ari(hotelId, { overbookingPercent: 100 });
    expect(await sell(hotelId, 1)).toBe('insufficient');
    const calendar = await staff('GET', `${hotelId}/calendar?from=2027-07-01&to=2027-07-01`);
    expect(calendar.json.days).toMatchObject([
      { totalReserved: 7, overbooked: true, overbookingPercent: 100 },
    ]);
    // The database refuses it by itself.
    const raise = 'UPDATE room_type_inventory SET total_reserved = total_reserved + 1 WHERE hotel_id = $1';
    await expect(hotels.database.sql.query(raise, [hotelId])).rejects.toMatchObject({ code: '23514' });
    await ari(hotelId, { overbookingPercent: 200, sellLimit: 8 });
    expect(await sell(hotelId, 2)).toBe('insufficient');
    expect(await sell(hotelId, 1)).toBe('reserved');
    await expect(hotels.database.sql.query(raise, [hotelId])).rejects.toMatchObject({ code: '23514' });
    await ari(hotelId, { sellLimit: null });
    expect(await sell(hotelId, 2)).toBe('reserved');
    expect(await sell(hotelId, 1)).toBe('insufficient');
    await hotels.database.prove();
  });

  test.each([99, 201])('%d %% is refused', async (overbookingPercent) => {
    const hotelId = await hotels.database.hotel();
    expect((await ari(hotelId, { overbookingPercent })).status).toBe(400);
  });
});

test('offers say whether the guest gets the receipt by e-mail', async () => {
  for (const mailsReceipts of [true, false]) {
    const mailing = await serveHotels({ mailsReceipts });
    try {
      const hotelId = await mailing.database.hotel();
      const path = `/v1/hotels/${hotelId}/room-types/double/offers`;
      const { json } = await mailing.call('GET', `${path}?startDate=2027-07-01&endDate=2027-07-02`);
      expect(json.receiptByEmail).toBe(mailsReceipts);
    } finally {
      await mailing.close();
    }
  }
});

describe('the lowest price of a stay in a hotel', () => {
  const priceIn = async (hotelId: string, query = '') =>
    hotels.call('GET', `/v1/hotels/${hotelId}/stay-price?startDate=2027-07-01&endDate=2027-07-02${query}`);

  test('is that of the cheapest plan of all types, with taxes, and what reserving it costs', async () => {
    const hotelId = await hotels.database.hotel();
    const usual = await priceIn(hotelId);
    expect(usual).toMatchObject({ status: 200, json: { hotelID: hotelId } });
    const { cheapest } = usual.json;
    await plan(hotelId, 'saver', {
      cancellation: { refundable: false, lateCancelPercent: 100 },
      price: { rule: 'derived', percent: 50 },
    });
    const saver = (await priceIn(hotelId)).json.cheapest;
    expect(saver.refundable).toBe(false);
    expect(Number(saver.stay.total)).toBeCloseTo(Number(cheapest.stay.total) / 2);
    const made = await reserve(hotelId, { ratePlanID: 'saver', roomTypeID: saver.roomTypeID });
    expect(made.json.price).toBe(saver.stay.total);
    // That room is taken now.
    expect((await priceIn(hotelId)).json.cheapest.rooms).toBe(saver.rooms - 1);
  });

  test('says why there is none', async () => {
    const hotelId = await hotels.database.hotel();
    expect((await priceIn(hotelId, '&guests=500')).json.reason).toBe('too-small');
    const { rooms } = (await priceIn(hotelId)).json.cheapest;
    for (let left = rooms; left > 0; left -= 10)
      await reserve(hotelId, { roomCount: String(Math.min(10, left)) });
    expect((await priceIn(hotelId)).json).toEqual({ hotelID: hotelId, currency: 'SEK', reason: 'full' });
    const other = await hotels.database.hotel();
    await ari(other, { stopSell: true });
    expect((await priceIn(other)).json.reason).toBe('not-sold');
  });

  test.each([
    [
      'a stay that ends before it begins',
      '/v1/hotels/ID/stay-price?startDate=2027-07-02&endDate=2027-07-01',
      400,
    ],
    [
      'a hotel that does not exist',
      '/v1/hotels/nowhere/stay-price?startDate=2027-07-01&endDate=2027-07-01',
      404,
    ],
    ['no guest', '/v1/hotels/ID/stay-price?startDate=2027-07-01&endDate=2027-07-01&guests=0', 400],
  ])('refuses %s', async (_, path, status) => {
    const hotelId = await hotels.database.hotel();
    expect((await hotels.call('GET', path.replace('ID', hotelId))).status).toBe(status);
  });
});
