import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minorOf, moneyText } from '#hotel/hotels/money-text.js';
import { parseReservationRequest } from '#hotel/http/parse-reservation.js';
import { cursorOf, readCursor } from '#hotel/http/reservation-cursor.js';
import { hotelLimits } from '#hotel/limits.js';
import { reservationBounds } from '#schemas/http/hotel-reservations.js';
import type { UserId } from '#schemas/units.js';
import { runs } from '../property-runs.js';

const anna = 'anna' as UserId;
const good = {
  startDate: '2027-07-01',
  endDate: '2027-07-03',
  hotelID: 'h1',
  roomTypeID: 'double',
  roomCount: '2',
  reservationID: 'r-1',
};
const parse = (body: unknown) =>
  parseReservationRequest(Buffer.from(typeof body === 'string' ? body : (JSON.stringify(body) ?? '')), anna);

/** Pointer and message of each refused field. */
function faults(body: unknown): Record<string, string> {
  const parsed = parse(body);
  if (parsed.kind !== 'invalid') return { kind: parsed.kind };
  return Object.fromEntries(parsed.errors.map(({ pointer, message }) => [pointer, message]));
}

describe('the body of a reservation', () => {
  test('is read as specified', () => {
    expect(parse(good)).toEqual({
      kind: 'request',
      request: {
        reservationId: 'r-1',
        userId: anna,
        hotelId: 'h1',
        roomTypeId: 'double',
        startDate: '2027-07-01',
        endDate: '2027-07-03',
        roomCount: 2,
      },
    });
  });

  test.each([
    '2026-2-3',
    '2026-02-30',
    '20260203',
    '2026-02-03T00:00Z',
    '2027-02-29',
    '2100-02-29',
    '0000-00-00',
    '2027-07-01 ',
    '２０２７-07-01',
    '+02027-07-01',
    '',
    20270701,
    null,
    undefined,
    ['2027-07-01'],
  ])('H-050: startDate %j is refused by name', (startDate) => {
    expect(Object.keys(faults({ ...good, startDate }))).toContain('/startDate');
    expect(Object.keys(faults({ ...good, endDate: startDate }))).toContain('/endDate');
  });

  test('H-050: 29 February is a day only in leap years', () => {
    expect(parse({ ...good, startDate: '2028-02-29', endDate: '2028-03-01' }).kind).toBe('request');
    expect(faults({ ...good, startDate: '2027-02-29', endDate: '2027-03-01' })).toHaveProperty('/startDate');
  });

  test('H-051: the end may be the first day, but not before it; 10,000 nights are too many', () => {
    expect(parse({ ...good, endDate: good.startDate }).kind).toBe('request');
    expect(faults({ ...good, endDate: '2027-06-30' })).toEqual({
      '/endDate': 'must not be before startDate',
    });
    expect(faults({ ...good, endDate: '2054-11-15' })['/endDate']).toContain('10000 nights');
    expect(parse({ ...good, endDate: '2027-07-31' }).kind).toBe('request');
    expect(faults({ ...good, endDate: '2027-08-01' })['/endDate']).toContain('32 nights');
  });

  test.each([
    '0',
    '-1',
    '1.5',
    '1e1',
    ' 1',
    '1 ',
    '٣',
    '99999999999999999999',
    '11',
    '01',
    '+1',
    '0x1',
    '',
    1,
    true,
    [],
    null,
  ])('H-055: roomCount %j is refused by name', (roomCount) => {
    expect(Object.keys(faults({ ...good, roomCount }))).toEqual(['/roomCount']);
  });

  test('H-055: "1" and "10" are accepted', () => {
    for (const roomCount of ['1', '10']) expect(parse({ ...good, roomCount }).kind).toBe('request');
  });

  test('H-053: text that looks like code is an id like any other', () => {
    for (const hotelID of ["'; DROP TABLE reservation; --", '<script>alert(1)</script>', '../../etc', '💒'])
      expect(parse({ ...good, hotelID })).toMatchObject({ kind: 'request', request: { hotelId: hotelID } });
    for (const hotelID of ['', 'x'.repeat(65), 'a\0b', 7, {}])
      expect(Object.keys(faults({ ...good, hotelID }))).toEqual(['/hotelID']);
  });

  test('H-057: reservationID is required, bounded and made of visible characters', () => {
    const { reservationID: _, ...without } = good;
    expect(faults(without)).toEqual({ '/reservationID': 'is missing' });
    for (const reservationID of ['', 'x'.repeat(65), 'a b', 'a\n', 'a\u200b', 5, null])
      expect(Object.keys(faults({ ...good, reservationID }))).toEqual(['/reservationID']);
    expect(parse({ ...good, reservationID: 'x'.repeat(64) }).kind).toBe('request');
  });

  test('H-058: the superseded roomID is refused by name, with or without the fields that replace it', () => {
    const { roomTypeID: _, roomCount: __, ...rest } = good;
    const old = faults({ ...rest, roomID: '101' });
    expect(old['/roomID']).toContain('superseded');
    expect(Object.keys(old).toSorted()).toEqual(['/roomCount', '/roomID', '/roomTypeID']);
    expect(Object.keys(faults({ ...good, roomID: '101' }))).toEqual(['/roomID']);
  });

  test('H-059: refuses unknown fields, repeated keys and keys that reach a prototype', () => {
    for (const field of ['is_admin', 'total_reserved', 'price', 'status', 'userID', 'a/b~c'])
      expect(Object.keys(faults({ ...good, [field]: 1 }))).toEqual([
        `/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      ]);
    const text = JSON.stringify(good).slice(0, -1);
    for (const tail of [',"__proto__":{"roomCount":"9"}}', ',"constructor":{}}', ',"roomCount":"9"}'])
      expect(parse(text + tail).kind, tail).toBe('malformed');
    expect(({} as Record<string, unknown>)['roomCount']).toBeUndefined();
  });

  test('reports every wrong field at once', () => {
    expect(Object.keys(faults({})).toSorted()).toEqual(
      ['/startDate', '/endDate', '/hotelID', '/roomTypeID', '/roomCount', '/reservationID'].toSorted(),
    );
  });

  test('any bytes get an answer, and accepted requests are valid', () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          startDate: fc.oneof(fc.constant('2027-07-01'), fc.string(), fc.jsonValue()),
          endDate: fc.oneof(fc.constant('2027-07-01'), fc.string(), fc.jsonValue()),
          hotelID: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
          roomTypeID: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
          roomCount: fc.oneof(fc.integer({ min: -1, max: 12 }).map(String), fc.string(), fc.jsonValue()),
          reservationID: fc.oneof(fc.string({ unit: 'binary' }), fc.uuid()),
          roomID: fc.string(),
        },
        { requiredKeys: [] },
      ),
    );
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      value.map((json) => new Uint8Array(Buffer.from(JSON.stringify(json)))),
    );
    fc.assert(
      fc.property(bytes, (body) => {
        const parsed = parseReservationRequest(body, anna);
        if (parsed.kind !== 'request') return;
        const { roomCount, startDate, endDate, reservationId, hotelId, roomTypeId } = parsed.request;
        expect(Number.isInteger(roomCount) && roomCount >= 1 && roomCount <= 10).toBe(true);
        expect(new Date(startDate).toISOString().slice(0, 10)).toBe(startDate);
        expect(startDate <= endDate).toBe(true);
        for (const id of [reservationId, hotelId, roomTypeId])
          expect(id.length > 0 && id.length <= 64 && !id.includes('\0')).toBe(true);
      }),
      { numRuns: runs(2_000) },
    );
  });

  test('H-142: the bounds in OpenAPI are those of the code', () => {
    const { roomCountMax, nightsMax, reservationIdMax } = hotelLimits;
    expect(reservationBounds).toEqual({ roomCountMax, nightsMax, reservationIdMax });
  });
});

test('a cursor is read as it was written, and other text is rejected', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 64 }), (id) => {
      fc.pre(!id.includes('\0'));
      expect(readCursor(cursorOf(id))).toBe(id);
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      const id = readCursor(text);
      if (id !== undefined) expect(cursorOf(id)).toBe(text);
    }),
  );
});

test('money is written and read without losing a minor unit', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 999_999_999_999n }),
      fc.constantFrom('EUR', 'JPY', 'KWD', 'SEK'),
      (minor, currency) => {
        expect(minorOf(moneyText(minor, currency), currency)).toBe(minor);
      },
    ),
  );
  expect(moneyText(5n, 'EUR')).toBe('0.05');
  expect(moneyText(-120n, 'KWD')).toBe('-0.120');
  for (const text of ['0', '0.00', '1.234', '-1', '1e3', '01', ' 1', '1,5', '', '1.'])
    expect(minorOf(text, 'EUR'), text).toBeUndefined();
  expect(minorOf('1.5', 'JPY')).toBeUndefined();
});
