import { afterAll, beforeAll, expect, test } from 'vitest';
import { hotelContracts } from '#schemas/http/hotel-contracts.js';
import { type ServedHotels, serveHotels } from './served-hotels.js';

let served: ServedHotels;
let hotelId = '';

beforeAll(async () => {
  served = await serveHotels();
  hotelId = await served.database.hotel({ days: 10 });
  await staff('PUT', `hotels/${hotelId}/channel-feed`, { reason: 'r', enabled: true });
});
afterAll(() => served?.close());

const staff = (method: string, path: string, body?: object) =>
  served.call(method, `/v1/staff/${path}`, {
    ...{ token: served.tokens['siv']!, listener: 'internal' as const },
    ...(body === undefined ? {} : { body }),
  });
const operator = (method: string, path: string, body?: object) =>
  served.call(method, `/v1/hotels${path}`, {
    token: served.tokens['olle']!,
    ...(body === undefined ? {} : { body }),
  });
const customer = (method: string, path: string, body?: object) =>
  served.call(method, `/v1/${path}`, {
    token: served.tokens['anna']!,
    ...(body === undefined ? {} : { body }),
  });

/** Requests with a day, by what they do. */
const asked: Readonly<Record<string, (day: string) => Promise<{ status: number; text: string }>>> = {
  'send a snapshot': (day) =>
    staff('POST', `hotels/${hotelId}/channel-snapshots`, { reason: 'r', from: day, to: day }),
  'read a snapshot': (day) => staff('GET', `hotels/${hotelId}/ari?from=${day}&to=${day}`),
  'bulk update': (day) =>
    staff('PUT', `hotels/${hotelId}/ari`, {
      reason: 'r',
      updates: [{ roomTypeIDs: ['double'], from: day, to: day, stopSell: true }],
    }),
  calendar: (day) => staff('GET', `hotels/${hotelId}/calendar?from=${day}&to=${day}`),
  'housekeeping of a day': (day) => staff('GET', `hotels/${hotelId}/housekeeping?date=${day}`),
  'rooms of a day': (day) => staff('GET', `hotels/${hotelId}/rooms?date=${day}`),
  'reservations of a day': (day) => staff('GET', `reservations?hotelID=${hotelId}&on=${day}`),
  availability: (day) =>
    customer('GET', `hotels/${hotelId}/room-types/double/availability?startDate=${day}&endDate=${day}`),
  offers: (day) =>
    customer('GET', `hotels/${hotelId}/room-types/double/offers?startDate=${day}&endDate=${day}`),
  reserve: (day) =>
    customer('POST', 'reservations', {
      ...{ hotelID: hotelId, roomTypeID: 'double', roomCount: '1', reservationID: `r-${day}` },
      ...{ startDate: day, endDate: day },
    }),
  'waitlist entry': (day) =>
    customer('POST', 'waitlist', {
      ...{ hotelID: hotelId, roomTypeID: 'double', roomCount: '1', entryID: `w-${day}` },
      ...{ startDate: day, endDate: day },
    }),
  'out of order': (day) =>
    operator('POST', `/${hotelId}/rooms`, {
      ...{ roomTypeID: 'double', number: `x${day}` },
      outOfOrder: [{ from: day, to: day }],
    }),
};

test.each(Object.keys(asked))('%s refuses a day that no calendar has', async (name) => {
  for (const day of ['2027-02-30', '2027-02-29', '2027-13-01', '0000-01-01', '2027-2-3', '٢٠٢٧-٠٧-٠١']) {
    const { status, text } = await asked[name]!(day);
    expect([day, status, text]).toEqual([day, 400, expect.stringContaining('calendar day')]);
  }
});

test('every day in a request is declared as a date', () => {
  const days: string[] = [];
  const wrong: string[] = [];
  const look = (schema: unknown, operation: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { pattern, format } = schema as { readonly pattern?: unknown; readonly format?: unknown };
    if (format === 'date') days.push(operation);
    if (pattern === '^\\d{4}-\\d{2}-\\d{2}$') wrong.push(operation);
    for (const part of Object.values(schema)) look(part, operation);
  };
  for (const { operationId, query, body } of hotelContracts)
    look([query, body?.schema, body?.describedBy], operationId);
  expect(wrong).toEqual([]);
  expect(new Set(days).size).toBeGreaterThan(12);
});

test('the last day of February of a leap year is one', async () => {
  for (const name of ['send a snapshot', 'read a snapshot', 'bulk update', 'calendar', 'availability'])
    expect([name, (await asked[name]!('2028-02-29')).status], name).not.toEqual([name, 400]);
});
