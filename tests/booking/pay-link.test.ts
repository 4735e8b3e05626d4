import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadHotels } from '#hotel/load/load-hotels.js';
import { hotelMigrations } from '#hotel/migrations.js';
import { openSql } from '#platform/sql/open-sql.js';
import type { BookingPaymentView } from '#schemas/http/bookings.js';
import type { ReservationView } from '#schemas/http/hotel-reservations.js';
import { proves } from '#tools/acceptance/proves.js';
import { browsePage, certificateIn } from '../browse-page.js';
import { expectNoCardNumbers } from '../card-data-left.js';
import { eventually } from '../eventually.js';
import { freePort, type RunningProgram, startProgram } from '../main-job/running-platform.js';
import { arrival } from './booking-fixture.js';

let data: string;
let ports: readonly [number, number];
let program: RunningProgram;
let token: string;

/** With the provider inside, as somebody starts it for a first impression. */
const start = () => startProgram('bookings', { data, ports });

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'meridian-pay-link-'));
  ports = [await freePort(), await freePort()];
  const sql = await openSql(`embedded:${join(data, 'sql')}`);
  await sql.migrate('hotel', hotelMigrations);
  await loadHotels(sql, { hotels: 2, roomTypes: 1, rooms: 4, days: 40 });
  await sql.close();
  program = await start();
  token = await program.token('ada', 'customer');
}, 240_000);
afterAll(async () => {
  await program?.stop();
  await expectNoCardNumbers(data, program.output(), [card]);
  await rm(data, { recursive: true, force: true });
});

const ask = async <View>(method: string, path: string, body?: object): Promise<View> => {
  const answer = await fetch(`${program.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as View;
};

async function reserve(hotelID: string): Promise<string> {
  const reservationID = randomUUID();
  const dates = { startDate: arrival, endDate: arrival };
  await ask('POST', '/v1/reservations', {
    reservationID,
    hotelID,
    roomTypeID: 't01',
    roomCount: '1',
    ...dates,
  });
  return reservationID;
}

const pageOf = (id: string, unlike?: string): Promise<string> =>
  eventually(async () => {
    const { paymentPageURL } = await ask<BookingPaymentView>('GET', `/v1/reservations/${id}/payment`);
    if (paymentPageURL === undefined || paymentPageURL === unlike) throw new Error('no page yet');
    return paymentPageURL;
  });

const card = '4242424242424242';
/** Resolves with the status of the page's answer. */
const typeCard = async (page: string): Promise<number> =>
  (await browsePage(page, await certificateIn(data), { number: card })).status;

const paid = (id: string) =>
  eventually(async () => {
    const { status } = await ask<ReservationView>('GET', `/v1/reservations/${id}`);
    expect(status).toBe('paid');
  });

test('P-070, H-004: a page that a guest left open takes the money after kill -9 and a restart', {
  timeout: 240_000,
}, async () => {
  const id = await reserve('h00001');
  const page = await pageOf(id);
  await program.stop('SIGKILL');
  program = await start();
  expect(await pageOf(id)).toBe(page);
  expect(await typeCard(page)).toBe(303);
  await paid(id);
});

proves('H-112', {
  asked: 'the internal API refuses public tokens even if reached',
  shown: 'the payment of a reservation, which bookings serve there: token of a guest 401, of the desk 200',
});
test('H-112: staff read the payment of a stay at the internal address, its guest does not', async () => {
  const id = await reserve('h00001');
  await pageOf(id);
  const read = async (bearer: string) =>
    (
      await fetch(`${program.internalUrl}/v1/staff/reservations/${id}/payment`, {
        headers: { authorization: `Bearer ${bearer}` },
      })
    ).status;
  expect(await read(token)).toBe(401);
  expect(await read(await program.token('siv', 'desk'))).toBe(200);
});

test('the port of the page is taken when the provider restarts: the link leads to its new port', {
  timeout: 240_000,
}, async () => {
  const id = await reserve('h00002');
  const page = await pageOf(id);
  await program.stop('SIGKILL');
  const port = Number(new URL(page).port);
  const other = await eventually(
    () =>
      new Promise<ReturnType<typeof createServer>>((resolve, reject) => {
        const server = createServer();
        server.once('error', reject);
        server.listen(port, '127.0.0.1', () => resolve(server));
      }),
  );
  program = await start();
  const moved = await pageOf(id, page);
  other.close();
  expect(await typeCard(moved)).toBe(303);
  await paid(id);
});
