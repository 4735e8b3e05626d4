import { afterAll, beforeAll, expect, it } from 'vitest';
import { bookingRoutes } from '#processors/booking/booking-routes.js';
import { hotelContracts } from '#schemas/http/hotel-contracts.js';
import { getHotelPlaces } from '#schemas/http/hotel-places.js';
import { canary, canaryTraces, probesOf, tablesWithCanary, writtenCode } from '../card-data-probe.js';
import { type ServedHotels, serveHotels } from './served-hotels.js';

let served: ServedHotels;
beforeAll(async () => {
  served = await serveHotels();
});
afterAll(() => served?.close());

const tokens = {
  customer: 'anna',
  operator: 'olle',
  desk: 'siv',
  driver: 'driver',
  finance: 'siv',
  payouts: 'siv',
  service: 'siv',
  merchant: 'siv',
} as const;

it('P-023: every operation of hotels refuses a card number and a code in any field', async () => {
  for (const contract of hotelContracts.filter((one) => one !== getHotelPlaces))
    for (const probe of probesOf(contract)) {
      const of = `${contract.operationId}, ${probe.what}`;
      const answer = await served.call(probe.method, probe.path, {
        token: served.tokens[tokens[probe.scope]]!,
        listener: probe.internal ? 'internal' : 'public',
        headers: probe.headers,
        ...(probe.body === undefined ? {} : { body: probe.body as object }),
      });
      expect([of, answer.status, answer.json?.code]).toEqual([of, 400, 'card-number-refused']);
      for (const trace of [...canaryTraces, writtenCode])
        expect(JSON.stringify(answer.json), of).not.toContain(trace);
    }
  expect(await tablesWithCanary(served.database.sql)).toEqual([]);
});

it('P-023: a valid reservation and a waitlist entry are refused for a card number in the id', async () => {
  const token = served.tokens['anna']!;
  const hotelID = await served.database.hotel();
  const stay = {
    hotelID,
    roomTypeID: 'double',
    startDate: '2027-07-01',
    endDate: '2027-07-02',
    roomCount: '1',
  };
  for (const [path, id] of [
    ['/v1/reservations', 'reservationID'],
    ['/v1/waitlist', 'entryID'],
  ] as const) {
    const refused = await served.call('POST', path, { token, body: { ...stay, [id]: '4242424242424242' } });
    expect([refused.status, refused.json.errors[0].pointer]).toEqual([400, `/${id}`]);
    expect(refused.json.detail).toBe('A field seems to contain a card number or a card code.');
  }
  expect((await served.call('GET', '/v1/reservations', { token })).json.reservations).toEqual([]);
  const [payment] = bookingRoutes(
    { sql: served.database.sql, reservations: served.database.reservations(), nowMs: Date.now },
    { sql: served.database.sql },
  );
  expect(payment?.refusesCardData).toBe(true);
});

it('P-023: an early refusal does not repeat a card number in the path either', async () => {
  const path = `/v1/reservations/${encodeURIComponent(canary)}`;
  const headers = { 'x-request-id': '4242424242424242' };
  for (const token of [undefined, served.tokens['driver']!]) {
    const refused = await served.call('GET', path, { headers, ...(token === undefined ? {} : { token }) });
    expect([401, 403]).toContain(refused.status);
    expect(refused.headers.get('x-request-id')).not.toBe('4242424242424242');
    for (const trace of canaryTraces) expect(JSON.stringify(refused.json)).not.toContain(trace);
  }
});
