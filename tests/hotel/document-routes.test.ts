import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServedHotels, serveHotels } from './served-hotels.js';

let served: ServedHotels;
let hotelID: string;
beforeAll(async () => {
  served = await serveHotels();
  hotelID = await served.database.hotel({ total: 10 });
  await served.database.sql.query(`UPDATE hotel SET name = $2 WHERE hotel_id = $1`, [
    hotelID,
    `<script>alert('${'ö'.repeat(60)}')</script>`,
  ]);
});
afterAll(() => served?.close());

interface Found {
  readonly reservation: { readonly reservationID: string };
}
const anna = () => ({ token: served.tokens['anna']! });
async function paidStay(reservationID: string): Promise<string> {
  const dates = { startDate: '2027-07-01', endDate: '2027-07-02' };
  const body = { hotelID, roomTypeID: 'double', ...dates, roomCount: '1', reservationID };
  await served.call('POST', '/v1/reservations', { ...anna(), body });
  const before = await served.call('GET', `/v1/reservations/${reservationID}/receipt`, anna());
  expect([before.status, before.json.code]).toEqual([409, 'reservation-not-paid']);
  await served.database
    .reservations()
    .confirmPayment({ reservationId: reservationID, paymentId: 'p', amountMinor: 20_000n, currency: 'SEK' });
  return reservationID;
}
const text = async (path: string, token = served.tokens['anna']!) => {
  const response = await fetch(served.publicUrl + path, { headers: { authorization: `Bearer ${token}` } });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};

test('a paid reservation has a number, a receipt and a calendar file, for its guest alone', async () => {
  const id = await paidStay('doc-1');
  const { json } = await served.call('GET', `/v1/reservations/${id}`, anna());
  expect(json.bookingNumber).toMatch(/^\w{3}-\w{3}-\w{3}$/);

  const receipt = await text(`/v1/reservations/${id}/receipt`);
  expect([receipt.status, receipt.type]).toEqual([200, 'text/html; charset=utf-8']);
  for (const part of [json.bookingNumber, '200.00 SEK', '2027-07-01', '2027-07-03', '&lt;script&gt;'])
    expect(receipt.text).toContain(part);
  expect(receipt.text).not.toContain('<script>');

  const calendar = await text(`/v1/reservations/${id}/calendar.ics`);
  expect([calendar.status, calendar.type]).toEqual([200, 'text/calendar; charset=utf-8']);
  expect(calendar.text).toContain('STATUS:CONFIRMED');
  const { rows } = await served.database.sql.query<{ at: string }>(
    `SELECT to_char((date '2027-07-01' + check_in_time) AT TIME ZONE time_zone AT TIME ZONE 'UTC',
       'YYYYMMDD"T"HH24MISS"Z"') AS at FROM hotel WHERE hotel_id = $1`,
    [hotelID],
  );
  expect(calendar.text).toContain(`DTSTART:${rows[0]!.at}\r\n`);

  for (const path of ['receipt', 'calendar.ics']) {
    expect((await text(`/v1/reservations/${id}/${path}`, served.tokens['bo']!)).status).toBe(404);
    expect((await text(`/v1/reservations/none/${path}`)).status).toBe(404);
  }
  await served.call('DELETE', `/v1/reservations/${id}`, anna());
  expect((await text(`/v1/reservations/${id}/calendar.ics`)).text).toContain('STATUS:CANCELLED');
  expect((await text(`/v1/reservations/${id}/receipt`)).text).toContain('200.00 SEK');
});

test('staff find a stay by its booking number, however it is typed', async () => {
  const id = await paidStay('doc-2');
  const { json } = await served.call('GET', `/v1/reservations/${id}`, anna());
  const find = (number: string) =>
    served.call('GET', `/v1/staff/reservations?bookingNumber=${encodeURIComponent(number)}`, {
      token: served.tokens['siv']!,
      listener: 'internal',
    });
  for (const typed of [json.bookingNumber, json.bookingNumber.toLowerCase().replaceAll('-', '')]) {
    const { json: found } = await find(typed);
    expect(found.reservations.map(({ reservation }: Found) => reservation.reservationID)).toEqual([id]);
  }
  const wrong = json.bookingNumber.replace(/.$/, (last: string) => (last === '2' ? '3' : '2'));
  expect((await find(wrong)).status).toBe(400);
});
