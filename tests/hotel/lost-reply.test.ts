import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { proves } from '#tools/acceptance/proves.js';
import { eventually } from '../eventually.js';
import { type ServedHotels, serveHotels } from './served-hotels.js';

let served: ServedHotels;
beforeAll(async () => {
  served = await serveHotels();
});
afterAll(() => served?.close());

const post = (token: string, body: object) => served.call('POST', '/v1/reservations', { token, body });

/**
 * Sends the whole request; destroys the socket when `sent` resolves, which begins when the request is
 * written. Nothing is read from the socket.
 */
function hangUp(form: object, token: string, sent: () => Promise<unknown>): Promise<void> {
  const { hostname: host, port } = new URL(served.publicUrl);
  const body = JSON.stringify(form);
  const head =
    `POST /v1/reservations HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\n` +
    `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port), noDelay: true });
    socket.on('error', reject);
    socket.on('close', () => resolve());
    socket.on('connect', () =>
      socket.write(head + body, () => void sent().then(() => socket.destroy(), reject)),
    );
  });
}

/** Waits until a statement of this database waits for a lock. */
const waitsForLock = () =>
  eventually(async () => {
    const { rows } = await served.database.sql.query(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(rows).toHaveLength(1);
  });

const form = (hotelID: string, reservationID: string) => ({
  ...{ hotelID, reservationID, roomTypeID: 'double', roomCount: '1' },
  ...{ startDate: '2027-07-01', endDate: '2027-07-03' },
});

async function stored(hotelId: string) {
  const text = 'SELECT *, xmin::text FROM reservation WHERE hotel_id = $1';
  return (await served.database.sql.query(text, [hotelId])).rows;
}

proves('H-080', {
  asked: 'the socket is cut right after sending; the retry returns the reservation that was made',
  shown: 'over HTTP the socket is cut while the booking waits in the database; the retry is 200 with its row',
  control: {
    in: 'hotel/schema/reserve-by-plan.ts',
    change: "WHEN r.same THEN 'repeated'",
    to: "WHEN false THEN 'repeated'",
  },
});
test('H-080: the reply is lost with the socket; the retry gets the reservation that was made', async () => {
  const token = served.tokens['anna']!;
  for (let guest = 0; guest < 4; guest += 1) {
    const hotelID = await served.database.hotel({ total: 20, days: 3 });
    const wanted = form(hotelID, `cut-${guest}`);
    // The days are locked, so the booking is made, and its reply sent, only after the socket is gone.
    await served.database.sql.transaction(async (tx) => {
      await tx.query('SELECT FROM room_type_inventory WHERE hotel_id = $1 FOR UPDATE', [hotelID]);
      await hangUp(wanted, token, waitsForLock);
      expect(await stored(hotelID)).toEqual([]);
    });
    const made = await eventually(async () => {
      const rows = await stored(hotelID);
      expect(rows).toHaveLength(1);
      return rows;
    });
    const retry = await post(token, wanted);
    expect([retry.status, retry.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    const createdAt = (made[0]!['created_at'] as Date).toISOString();
    expect(retry.json).toMatchObject({ ...wanted, status: 'pending_payment', price: '300.00', createdAt });
    // Not written again: the row is of the transaction that made it.
    expect(await stored(hotelID)).toEqual(made);
    expect(await served.database.counts(hotelID)).toEqual([1, 1, 1]);
  }
  await served.database.prove();
});

test('H-080: a socket cut at once: the retry gets one reservation, if the first came or not', async () => {
  const hotelID = await served.database.hotel({ total: 20, days: 3 });
  const token = served.tokens['bo']!;
  const forms = Array.from({ length: 8 }, (_, guest) => form(hotelID, `at-once-${guest}`));
  await Promise.all(forms.map((each) => hangUp(each, token, () => Promise.resolve())));
  const answers = await Promise.all(forms.map((each) => post(token, each)));
  for (const [guest, { status, json }] of answers.entries()) {
    expect([200, 201]).toContain(status);
    expect(json).toMatchObject(forms[guest]!);
  }
  expect(await stored(hotelID)).toHaveLength(8);
  expect(await served.database.counts(hotelID)).toEqual([8, 8, 8]);
  await served.database.prove();
});
