import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CalendarStay, calendarFile } from '#hotel/documents/calendar-file.js';
import { bookingNumberOf, sequenceOfBookingNumber } from '#hotel/reservations/booking-number.js';

const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXY';
const sequences = fc.bigInt({ min: 0n, max: 29n ** 8n - 1n });

test('every booking number is read back, and looks like K4W-7FM-2XR', () => {
  fc.assert(
    fc.property(sequences, (sequence) => {
      const number = bookingNumberOf(sequence);
      expect(number).toMatch(/^[2-9A-HJKMNP-TV-Y]{3}(-[2-9A-HJKMNP-TV-Y]{3}){2}$/);
      expect(sequenceOfBookingNumber(number)).toBe(sequence);
      expect(sequenceOfBookingNumber(number.toLowerCase().replaceAll('-', ' '))).toBe(sequence);
    }),
  );
  const first = Array.from({ length: 20_000 }, (_, n) => bookingNumberOf(BigInt(n + 1)));
  expect(new Set(first).size).toBe(first.length);
  expect(() => bookingNumberOf(29n ** 8n)).toThrow();
});

test('no single wrong character and no two exchanged ones pass the check', () => {
  fc.assert(
    fc.property(sequences, (sequence) => {
      const right = bookingNumberOf(sequence).replaceAll('-', '').split('');
      for (let at = 0; at < right.length; at += 1) {
        for (const other of alphabet)
          if (other !== right[at])
            expect(sequenceOfBookingNumber(right.with(at, other).join(''))).toBeUndefined();
        for (let to = at + 1; to < right.length; to += 1)
          if (right[at] !== right[to]) {
            const exchanged = right.with(at, right[to]!).with(to, right[at]!).join('');
            expect(sequenceOfBookingNumber(exchanged)).toBeUndefined();
          }
      }
    }),
    { numRuns: 20 },
  );
});

test('what is no booking number has no sequence', () => {
  for (const wrong of ['', 'K4W', 'O00-000-000', 'K4W-7FM-2XRR', '١٢٣-٤٥٦-٧٨٩', ' '])
    expect(sequenceOfBookingNumber(wrong)).toBeUndefined();
});

const stay: CalendarStay = {
  bookingNumber: 'K4W-7FM-2XR',
  reservationId: 'form-1',
  hotelName: 'Grand Hotel',
  address: 'Triq 1, Valletta',
  lat: 35.9,
  lng: 14.5,
  from: new Date('2026-11-24T13:00:00Z'),
  to: new Date('2026-11-26T10:00:00Z'),
  isCancelled: false,
  version: 7,
  changedAt: new Date('2026-11-20T08:09:10.123Z'),
};

/** A strict reader of RFC 5545: CRLF, at most 75 octets a line, unfolded, names and unescaped values. */
function read(text: string): ReadonlyMap<string, string> {
  expect(text.endsWith('\r\n')).toBe(true);
  const physical = text.slice(0, -2).split('\r\n');
  for (const line of physical) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(line).not.toMatch(/[\r\n\p{Cc}]/u);
    // No character is cut in two by the folding.
    expect(Buffer.from(line).toString()).toBe(line);
  }
  const values = new Map<string, string>();
  for (const line of text.slice(0, -2).replaceAll('\r\n ', '').split('\r\n')) {
    const [, name, value] = /^([A-Z-]+):(.*)$/.exec(line)!;
    const isText = ['SUMMARY', 'LOCATION', 'DESCRIPTION', 'UID'].includes(name!);
    if (isText) expect(value!.replaceAll(/\\[\\;,n]/g, '')).not.toMatch(/[\\;,]/);
    const plain = value!.replaceAll(/\\(.)/g, (_, one: string) => (one === 'n' ? '\n' : one));
    values.set(`${name}${name === 'BEGIN' || name === 'END' ? `:${value}` : ''}`, isText ? plain : value!);
  }
  return values;
}

test('a calendar file has one event in UTC, which a cancellation removes', () => {
  const values = read(calendarFile(stay));
  expect([...values.keys()]).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION',
    'PRODID',
    'CALSCALE',
    'METHOD',
    'BEGIN:VEVENT',
    'UID',
    'DTSTAMP',
    'DTSTART',
    'DTEND',
    'SEQUENCE',
    'STATUS',
    'SUMMARY',
    'LOCATION',
    'GEO',
    'DESCRIPTION',
    'TRANSP',
    'END:VEVENT',
    'END:VCALENDAR',
  ]);
  expect(Object.fromEntries(values)).toMatchObject({
    DTSTART: '20261124T130000Z',
    DTEND: '20261126T100000Z',
    DTSTAMP: '20261120T080910Z',
    METHOD: 'PUBLISH',
    LOCATION: 'Triq 1, Valletta',
  });
  const cancelled = Object.fromEntries(read(calendarFile({ ...stay, isCancelled: true })));
  expect(cancelled).toMatchObject({ METHOD: 'CANCEL', STATUS: 'CANCELLED', UID: 'form-1@stays.meridian' });
});

test('names of any characters are escaped and folded, and read back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (name) => {
      const plain = name.replaceAll(/\r\n|\r/g, '\n').replaceAll(/[^\P{Cc}\n]/gu, ' ');
      const values = read(calendarFile({ ...stay, hotelName: name, address: `;,\\ ${name}` }));
      expect(values.get('SUMMARY')).toBe(plain);
      expect(values.get('LOCATION')).toBe(`;,\\ ${plain}`);
    }),
  );
  const injected = read(calendarFile({ ...stay, hotelName: 'x\r\nATTENDEE:mailto:eve@example.org' }));
  expect(injected.has('ATTENDEE')).toBe(false);
});
