import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { proves } from '#tools/acceptance/proves.js';
import { opera, type ServedHotels, serveHotels } from './served-hotels.js';

let served: ServedHotels;
let hotelID: string;
beforeAll(async () => {
  served = await serveHotels();
  const { json } = await served.call('POST', '/v1/hotels', { token: served.tokens['olle']!, body: opera });
  hotelID = json.hotelID;
  const { sql } = served.database;
  await sql.query('UPDATE room_type_inventory SET total_inventory = 50 WHERE hotel_id = $1', [hotelID]);
  await sql.query(
    `INSERT INTO room_type_rate SELECT $1, 'double', '2027-07-01'::date + d, 10000 FROM generate_series(0, 9) d`,
    [hotelID],
  );
});
afterAll(() => served?.close());

const as =
  (who: string, base: string, listener: 'public' | 'internal' = 'public') =>
  (method: string, path: string, body?: object) =>
    served.call(method, `${base}/${path}`, {
      ...{ token: served.tokens[who]!, listener },
      ...(body === undefined ? {} : { body }),
    });
const anna = as('anna', '/v1/reservations');
const bo = as('bo', '/v1/reservations');
const siv = as('siv', '/v1/staff/reservations', 'internal');

/** One night of 100.00, paid. */
async function paid(): Promise<string> {
  const reservationID = randomUUID();
  const dates = { startDate: '2027-07-01', endDate: '2027-07-01' };
  const stay = { hotelID, roomTypeID: 'double', roomCount: '1', ...dates };
  const made = await served.call('POST', '/v1/reservations', {
    ...{ token: served.tokens['anna']!, body: { reservationID, ...stay } },
  });
  expect(made.status).toBe(201);
  await served.database.reservations().confirmPayment({
    ...{
      reservationId: reservationID,
      paymentId: `pay-${reservationID}`,
      amountMinor: 10_000n,
      currency: 'SEK',
    },
  });
  return reservationID;
}
const payMore = async (reservationId: string) => {
  const reservations = served.database.reservations();
  const { supplement, currency } = (await reservations.get(reservationId, { staff: true }))!;
  const { id: supplementId, amountMinor } = supplement!;
  const payment = { reservationId, paymentId: `pay-${supplementId}`, supplementId, amountMinor, currency };
  return (await reservations.confirmPayment(payment)).kind;
};

const longer = { endDate: '2027-07-03' };

test('the guest sees the difference, agrees to it, and the stay changes once it is paid', async () => {
  const id = await paid();
  const quote = await anna('POST', `${id}/stay/quote`, longer);
  expect([quote.status, quote.json]).toEqual([
    200,
    { currency: 'SEK', price: '300.00', difference: '200.00', refund: '0.00' },
  ]);
  const refused = await anna('PUT', `${id}/stay`, longer);
  expect([refused.status, refused.json]).toMatchObject([
    409,
    { code: 'dates-cost-more', difference: '200.00', currency: 'SEK' },
  ]);
  const wrong = await anna('PUT', `${id}/stay`, { ...longer, difference: '200.001' });
  expect([wrong.status, wrong.json.errors]).toMatchObject([400, [{ pointer: '/difference' }]]);
  const waits = await anna('PUT', `${id}/stay`, { ...longer, difference: '200.00' });
  expect([waits.status, waits.json]).toMatchObject([
    202,
    { status: 'paid', endDate: '2027-07-01', paid: '100.00', supplement: { amount: '200.00' } },
  ]);
  expect(await payMore(id)).toBe('paid');
  const { json } = await anna('GET', id);
  expect(json).toMatchObject({ endDate: '2027-07-03', price: '300.00', paid: '300.00' });
  expect(json.supplement).toBeUndefined();
  const { json: folio } = await anna('GET', `${id}/folio`);
  expect(folio.payments.map(({ amount }: { amount: string }) => amount)).toEqual(['100.00', '200.00']);
  expect(folio.totals).toEqual({ charges: '300.00', payments: '300.00', balance: '0.00' });
  const cheaper = await anna('POST', `${id}/stay/quote`, { endDate: '2027-07-02' });
  expect(cheaper.json).toMatchObject({ price: '200.00', difference: '0.00', refund: '100.00' });
});

test('the guest gives up the change; nobody else may see, change or give up anything', async () => {
  const id = await paid();
  const agreed = { ...longer, difference: '200.00' };
  for (const [method, path, body] of [
    ['POST', `${id}/stay/quote`, longer],
    ['PUT', `${id}/stay`, agreed],
    ['DELETE', `${id}/supplement`],
  ] as const)
    expect((await bo(method, path, body)).status).toBe(404);
  expect((await anna('PUT', `${id}/dates`, { startDate: '2027-07-01', ...agreed })).status).toBe(202);
  const given = await anna('DELETE', `${id}/supplement`);
  expect(given.json).toMatchObject({ status: 'paid', endDate: '2027-07-01' });
  expect(given.json.supplement).toBeUndefined();
  expect((await anna('DELETE', `${id}/supplement`)).status).toBe(200);
});

proves('H-010', {
  asked: 'each change made in the administration is visible through the public API',
  shown: 'a stay that the desk moves: the guest reads the new day, and a refused change does not alter it',
});
test('H-010: of two people who change the same stay the second is refused, and changes nothing', async () => {
  const id = await paid();
  const expected = {
    ...{ roomTypeID: 'double', startDate: '2027-07-01', endDate: '2027-07-01', roomCount: '1' },
  };
  const moved = { startDate: '2027-07-02', endDate: '2027-07-02', expected };
  expect((await siv('PUT', `${id}/stay`, moved)).status).toBe(200);
  // The answer was lost.
  expect((await siv('PUT', `${id}/stay`, moved)).status).toBe(200);
  const other = { startDate: '2027-07-03', endDate: '2027-07-03', expected };
  for (const [who, path] of [
    [siv, `${id}/stay`],
    [anna, `${id}/stay`],
    [anna, `${id}/dates`],
  ] as const) {
    const refused = await who('PUT', path, other);
    expect([refused.status, refused.json.code]).toEqual([409, 'stay-changed-before']);
    expect(refused.json.detail).toContain('2027-07-02 to 2027-07-02');
  }
  expect((await anna('GET', id)).json).toMatchObject({ startDate: '2027-07-02' });
  const stale = await siv('POST', `${id}/rooms`, { roomIDs: ['room-1'], expected });
  expect([stale.status, stale.json.code]).toEqual([409, 'stay-changed-before']);
  const wrong = await siv('PUT', `${id}/stay`, { ...other, expected: { startDate: '2027-07-02' } });
  expect([wrong.status, wrong.json.errors[0].pointer]).toEqual([400, '/expected/roomTypeID']);
  const current = { ...expected, startDate: '2027-07-02', endDate: '2027-07-02', roomIDs: [] };
  expect((await siv('PUT', `${id}/stay`, { ...other, expected: current })).status).toBe(200);
  const { json } = await served.call('GET', `/v1/staff/actions?subject=${id}`, {
    ...{ token: served.tokens['siv']!, listener: 'internal' },
  });
  expect(json.actions.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    ...['changed', 'changed-before', 'changed-before', 'unchanged', 'changed'],
  ]);
});

test('the desk changes a stay, asks for open extras, and all of it is audited', async () => {
  const id = await paid();
  expect((await siv('POST', `${id}/stay/quote`, longer)).json).toMatchObject({ difference: '200.00' });
  const agreed = { ...longer, difference: '200.00', reason: 'by phone' };
  expect((await siv('POST', `${id}/folio/pay-link`, {})).json.code).toBe('nothing-open');
  expect((await siv('PUT', `${id}/stay`, agreed)).status).toBe(202);
  const extra = { entryID: 'tea', name: 'Tea', amount: '12.50', reason: 'x' };
  await siv('POST', `${id}/folio/extras`, extra);
  expect((await siv('POST', `${id}/folio/pay-link`, {})).json.code).toBe('change-waits');
  expect(await payMore(id)).toBe('paid');
  const link = await siv('POST', `${id}/folio/pay-link`, {});
  expect([link.status, link.json]).toMatchObject([
    201,
    { reservationID: id, amount: '12.50', currency: 'SEK' },
  ]);
  const again = await siv('POST', `${id}/folio/pay-link`, {});
  expect([again.status, again.json]).toEqual([200, link.json]);
  expect(await payMore(id)).toBe('paid');
  expect((await siv('GET', `${id}/folio`)).json.totals).toMatchObject({
    payments: '312.50',
    balance: '0.00',
  });
  const { json: audit } = await served.call('GET', `/v1/staff/actions?subject=${id}`, {
    ...{ token: served.tokens['siv']!, listener: 'internal' },
  });
  expect(audit.actions.map(({ action }: { action: string }) => action)).toEqual([
    ...['open-pay-link', 'open-pay-link', 'open-pay-link', 'post-extra', 'change-stay', 'open-pay-link'],
  ]);
});
