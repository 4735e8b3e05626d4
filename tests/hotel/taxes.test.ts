import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays } from '#hotel/reservations/stay-days.js';
import { stayPrice, type TaxedStay, taxesOnTop, taxLines } from '#hotel/taxes/tax-lines.js';
import type { TaxRule } from '#hotel/taxes/tax-rule.js';
import { opera, type ServedHotels, serveHotels } from './served-hotels.js';

let served: ServedHotels;
beforeAll(async () => {
  served = await serveHotels();
});
afterAll(() => served?.close());

const firstDay = '2027-07-01';
const stayOf = (given: Partial<TaxedStay> = {}): TaxedStay => ({
  startDate: firstDay,
  nightPricesMinor: [10_000n, 10_000n, 10_000n],
  roomCount: 1,
  guests: null,
  taxRules: [],
  ...given,
});
const amounts = (stay: TaxedStay) => taxLines(stay).map(({ code, amountMinor }) => [code, amountMinor]);
const vat = (basisPoints: number, dates: object = {}): TaxRule => ({
  ...{ code: 'vat', name: 'VAT', kind: 'vat', basisPoints },
  ...dates,
});

test('VAT is a part of the price, rounded half up once for all nights of its rule', () => {
  // 30,000 · 7 / 107 = 1,962.6
  expect(amounts(stayOf({ taxRules: [vat(700)] }))).toEqual([['vat', 1_963n]]);
  expect(stayPrice(stayOf({ taxRules: [vat(700)] }))).toBe(30_000n);
  // 1 · 100 / 200 is exactly a half.
  expect(amounts(stayOf({ nightPricesMinor: [1n], taxRules: [vat(10_000)] }))).toEqual([['vat', 1n]]);
  // 12,100 · 21 / 121 = 2,100 and 10,900 · 9 / 109 = 900: the Netherlands at New Year of 2026.
  const rules = [vat(900, { to: '2025-12-31' }), vat(2_100, { from: '2026-01-01' })];
  const stay = stayOf({ startDate: '2025-12-31', nightPricesMinor: [10_900n, 12_100n], taxRules: rules });
  expect(amounts(stay)).toEqual([
    ['vat', 900n],
    ['vat', 2_100n],
  ]);
});

test('fees and taxes by night are on top: by room, by person, with a maximum of nights', () => {
  const taxRules: readonly TaxRule[] = [
    { code: 'resort-fee', name: 'Resort fee', kind: 'fee', basisPoints: 250 },
    { code: 'city-tax', name: 'City tax', kind: 'person-night', amountMinor: 50, nightsMax: 2 },
    { code: 'bed-tax', name: 'Bed tax', kind: 'room-night', amountMinor: 7, from: '2027-07-02' },
  ];
  const stay = stayOf({ roomCount: 2, guests: 3, taxRules });
  expect(amounts(stay)).toEqual([
    ['resort-fee', 1_500n],
    ['city-tax', 300n],
    ['bed-tax', 28n],
  ]);
  expect(stayPrice(stay)).toBe(60_000n + 1_828n);
  // Nobody said how many: one in each room.
  expect(taxesOnTop({ ...stay, guests: null })).toBe(1_500n + 200n + 28n);
  expect(amounts({ ...stay, startDate: '2027-06-28', nightPricesMinor: [100n] })).toEqual([
    ['resort-fee', 5n],
    ['city-tax', 150n],
  ]);
});

const anyRule = fc
  .record({
    kind: fc.constantFrom('vat', 'fee', 'room-night', 'person-night'),
    basisPoints: fc.integer({ min: 1, max: 10_000 }),
    amountMinor: fc.integer({ min: 1, max: 1_000_000_000 }),
    nightsMax: fc.option(fc.integer({ min: 1, max: 31 }), { nil: undefined }),
    from: fc.option(fc.integer({ min: -40, max: 40 }), { nil: undefined }),
    days: fc.option(fc.integer({ min: 0, max: 40 }), { nil: undefined }),
  })
  .map(({ kind, basisPoints, amountMinor, nightsMax, from, days }): TaxRule => {
    const dated = {
      code: kind,
      name: kind,
      ...(from === undefined ? {} : { from: addDays(firstDay, from) }),
      ...(days === undefined ? {} : { to: addDays(firstDay, (from ?? 0) + days) }),
    };
    return kind === 'vat' || kind === 'fee'
      ? { ...dated, kind, basisPoints }
      : { ...dated, kind, amountMinor, ...(nightsMax === undefined ? {} : { nightsMax }) };
  });

const anyStay = fc.record({
  startDate: fc.integer({ min: -40, max: 40 }).map((days) => addDays(firstDay, days)),
  nightPricesMinor: fc.array(fc.bigInt({ min: 1n, max: 999_999_999_999n }), { minLength: 1, maxLength: 31 }),
  roomCount: fc.integer({ min: 1, max: 10 }),
  guests: fc.option(fc.integer({ min: 1, max: 500 })),
  taxRules: fc.array(anyRule, { maxLength: 5 }),
});

test('the database adds the same amount to a new reservation as the lines that people see', async () => {
  await fc.assert(
    fc.asyncProperty(anyStay, async (stay) => {
      const { rows } = await served.database.sql.query('SELECT taxes_on_top($1, $2, $3, $4, $5) AS minor', [
        ...[JSON.stringify(stay.taxRules), stay.startDate, stay.nightPricesMinor],
        ...[stay.roomCount, stay.guests ?? stay.roomCount],
      ]);
      expect(rows[0]!['minor']).toBe(taxesOnTop(stay));
      const nights = stay.nightPricesMinor.reduce((sum, price) => sum + price, 0n) * BigInt(stay.roomCount);
      expect(stayPrice(stay)).toBe(nights + taxesOnTop(stay));
      for (const { isIncluded, amountMinor } of taxLines(stay))
        if (isIncluded) expect(amountMinor).toBeLessThanOrEqual((nights + 1n) / 2n);
    }),
    { numRuns: 300, seed: 22 },
  );
});

const operator = () => ({ token: served.tokens['olle']! });
async function hotel(given: object, prices: readonly number[]): Promise<string> {
  const { json } = await served.call('POST', '/v1/hotels', { ...operator(), body: { ...opera, ...given } });
  const { sql } = served.database;
  await sql.query(`UPDATE room_type_inventory SET total_inventory = 20 WHERE hotel_id = $1`, [json.hotelID]);
  await sql.query(
    `INSERT INTO room_type_rate SELECT $1, 'double', $2::date + (i - 1)::integer, p
     FROM unnest($3::bigint[]) WITH ORDINALITY q (p, i)`,
    [json.hotelID, firstDay, prices],
  );
  return json.hotelID;
}
const setTaxes = (hotelID: string, rules: readonly object[]) =>
  served.call('PUT', `/v1/hotels/${hotelID}/taxes`, { ...operator(), body: { rules } });

async function reserve(hotelID: string, nights: number, given: object = {}) {
  const body = {
    ...{ reservationID: randomUUID(), hotelID, roomTypeID: 'double', roomCount: '1' },
    ...{ startDate: firstDay, endDate: addDays(firstDay, nights - 1) },
    ...given,
  };
  const answer = await served.call('POST', '/v1/reservations', { token: served.tokens['anna']!, body });
  expect(answer.status, JSON.stringify(answer.json)).toBe(201);
  return answer.json;
}

test('a hotel has the taxes of its country until an operator sets others', async () => {
  const id = await hotel({ country: 'SE' }, [112_00]);
  const taxes = () => served.call('GET', `/v1/hotels/${id}/taxes`);
  const vatOfSweden = { code: 'vat', name: 'VAT 12 %', kind: 'vat', percent: '12' };
  expect((await taxes()).json).toEqual({
    hotelID: id,
    source: 'country',
    country: 'SE',
    rules: [vatOfSweden],
  });
  expect(await reserve(id, 1)).toMatchObject({
    price: '112.00',
    net: '100.00',
    taxes: [{ code: 'vat', name: 'VAT 12 %', amount: '12.00', included: true }],
  });
  const city = { code: 'city-tax', name: 'City tax', kind: 'person-night', amount: '25.50', nightsMax: 4 };
  expect((await setTaxes(id, [vatOfSweden, city])).json).toMatchObject({
    source: 'hotel',
    rules: [vatOfSweden, city],
  });
  expect(await reserve(id, 1, { guest: { name: 'Anna', guests: 2 } })).toMatchObject({
    guests: 2,
    price: '163.00',
    net: '100.00',
  });
  const back = await served.call('DELETE', `/v1/hotels/${id}/taxes`, operator());
  expect(back.json).toMatchObject({ source: 'country' });
  const without = await hotel({}, [100]);
  const { json } = await served.call('GET', `/v1/hotels/${without}/taxes`);
  expect(json).toEqual({ hotelID: without, source: 'none', rules: [] });
  expect(await reserve(without, 1)).toMatchObject({ price: '1.00', net: '1.00', taxes: [] });
});

test('what is quoted is what is charged, also in currencies without or with three decimals', async () => {
  // 31,584 · 10 / 110 = 2,871.3. 31,584 · 1.5 % = 473.8 and 3 · 200; 31,584 · 3.33 % = 1,051.7 and 3 · 250.
  for (const [currency, city, fee, price, vatAmount] of [
    ['JPY', '200', '1.5', '32658', '2871'],
    ['KWD', '0.250', '3.33', '33.386', '2.871'],
  ] as const) {
    const id = await hotel({ currency, country: currency.slice(0, 2) }, [10_005, 11_005, 10_574]);
    const answer = await setTaxes(id, [
      { code: 'vat', name: 'Tax', kind: 'vat', percent: '10' },
      { code: 'city-tax', name: 'City tax', kind: 'room-night', amount: city },
      { code: 'fee', name: 'Fee', kind: 'fee', percent: fee },
    ]);
    expect(answer.status, JSON.stringify(answer.json)).toBe(200);
    const quote = await served.call(
      'GET',
      `/v1/hotels/${id}/room-types/double/availability?startDate=${firstDay}&endDate=${addDays(firstDay, 2)}`,
    );
    const made = await reserve(id, 3);
    expect(quote.json.stay).toEqual({ total: made.price, net: made.net, taxes: made.taxes });
    const sum = (list: readonly { amount: string }[]) =>
      list.reduce((total, { amount }) => total + BigInt(amount.replace('.', '')), 0n);
    const minor = (text: string) => BigInt(text.replace('.', ''));
    expect(minor(made.net) + sum(made.taxes)).toBe(minor(made.price));
    expect([made.price, made.taxes[0].amount]).toEqual([price, vatAmount]);
  }
});

test('a tax above 100 %, negative, overlapping or of the wrong kind is refused', async () => {
  const id = await hotel({}, [100]);
  const tax = { code: 'city-tax', name: 'City tax' };
  const refused: readonly (readonly [readonly object[], string])[] = [
    [[{ ...tax, kind: 'vat', percent: '100.01' }], '/rules/0/percent'],
    [[{ ...tax, kind: 'vat', percent: '-1' }], '/rules/0/percent'],
    [[{ ...tax, kind: 'vat', percent: '0' }], '/rules/0/percent'],
    [[{ ...tax, kind: 'fee', amount: '1' }], '/rules/0/amount'],
    [[{ ...tax, kind: 'fee' }], '/rules/0/percent'],
    [[{ ...tax, kind: 'room-night', percent: '7' }], '/rules/0/percent'],
    [[{ ...tax, kind: 'room-night', amount: '-1' }], '/rules/0/amount'],
    [[{ ...tax, kind: 'room-night', amount: '0.001' }], '/rules/0/amount'],
    [[{ ...tax, kind: 'room-night', amount: '99999999999' }], '/rules/0/amount'],
    [[{ ...tax, kind: 'fee', percent: '1', from: '2027-02-30' }], '/rules/0/from'],
    [[{ ...tax, kind: 'fee', percent: '1', from: '2027-03-02', to: '2027-03-01' }], '/rules/0/to'],
    [[{ ...tax, kind: 'fee', percent: '1', nightsMax: 3 }], '/rules/0/nightsMax'],
    [
      [
        { ...tax, kind: 'fee', percent: '1', to: '2027-03-01' },
        { ...tax, kind: 'fee', percent: '2', from: '2027-03-01' },
      ],
      '/rules/1',
    ],
    [
      [
        { ...tax, kind: 'vat', percent: '1' },
        { ...tax, code: 'other', kind: 'vat', percent: '2' },
      ],
      '/rules/1',
    ],
    [[{ ...tax, code: 'City', kind: 'fee', percent: '1' }], '/rules/0/code'],
  ];
  for (const [rules, pointer] of refused) {
    const { status, json } = await setTaxes(id, rules);
    expect([status, json.errors?.[0]?.pointer], JSON.stringify(rules)).toEqual([400, pointer]);
  }
  expect((await setTaxes(id, Array(21).fill({ ...tax, kind: 'fee', percent: '1' }))).status).toBe(400);
  expect(
    (
      await served.call('PUT', `/v1/hotels/${id}/taxes`, {
        token: served.tokens['anna']!,
        body: { rules: [] },
      })
    ).status,
  ).toBe(403);
  expect((await setTaxes('no-hotel', [])).status).toBe(404);
  expect((await served.call('GET', `/v1/hotels/${id}/taxes`)).json.source).toBe('none');
  const { status } = await served.call('POST', '/v1/hotels', {
    ...operator(),
    body: { ...opera, country: 'ZZ' },
  });
  expect(status).toBe(400);
});

test('a reservation keeps its rules when rooms, dates or the rules of the hotel change', async () => {
  const id = await hotel({}, [100_00, 100_00, 100_00, 100_00]);
  const rule = { code: 'city-tax', name: 'City tax', kind: 'person-night' };
  await setTaxes(id, [{ ...rule, amount: '10.00' }]);
  const { reservationID } = await reserve(id, 3, { roomCount: '2', guest: { name: 'Anna', guests: 3 } });
  await setTaxes(id, [{ ...rule, amount: '99.00' }]);
  const anna = { token: served.tokens['anna']! };
  const path = `/v1/reservations/${reservationID}`;
  const now = async () => (await served.call('GET', path, anna)).json;
  expect(await now()).toMatchObject({ price: '690.00', net: '600.00' });
  // Two of three people stay in the room that is left.
  await served.call('DELETE', `${path}?rooms=1&of=2`, anna);
  expect(await now()).toMatchObject({ roomCount: '1', guests: 2, price: '360.00', net: '300.00' });
  const dates = { startDate: firstDay, endDate: addDays(firstDay, 3) };
  await served.call('PUT', `${path}/dates`, { ...anna, body: dates });
  expect(await now()).toMatchObject({ price: '480.00', net: '400.00' });
  // Another number of guests would change what is charged.
  const guest = (guests: number) =>
    served.call('PUT', `${path}/guest`, { ...anna, body: { name: 'Anna', guests } });
  expect((await guest(1)).json.code).toBe('guests-change-price');
  expect((await guest(2)).status).toBe(204);
  expect(await now()).toMatchObject({ guests: 2, price: '480.00' });
});
