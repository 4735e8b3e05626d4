import { afterAll, beforeAll, expect, test } from 'vitest';
import { recount } from '#hotel/inventory/recount.js';
import { hotelMigrations } from '#hotel/migrations.js';
import { PostgresReservations } from '#hotel/reservations/postgres-reservations.js';
import type { Sql } from '#platform/sql/sql.js';
import type { UserId } from '#schemas/units.js';
import { catalogueOf } from './catalogue.js';
import { earlierHistory } from './earlier-history.js';
import { asked, fillHotel } from './hotel-rows.js';
import { lostRows, rowsByName, tablesOf } from './rows.js';
import { type DatabaseServer, startDatabaseServer } from './server.js';

const staff = { staff: true } as const;
const { steps } = hotelMigrations[0]!.replaces!;

let server: DatabaseServer;
let fresh: Sql;
beforeAll(async () => {
  server = await startDatabaseServer();
  fresh = await server.open(await server.create());
  await fresh.migrate('hotel', hotelMigrations);
});
afterAll(() => server?.close());

const recordOf = async (sql: Sql) =>
  (await sql.query<{ name: string }>('SELECT name FROM schema_migration')).rows.map(({ name }) => name);

test('an upgraded database without hotels equals a fresh one in schema and rows', async () => {
  const sql = await server.open(await server.create());
  await sql.migrate('hotel', earlierHistory('hotel'));
  await sql.migrate('hotel', hotelMigrations);
  expect(await catalogueOf(sql)).toEqual(await catalogueOf(fresh));
  expect(rowsByName(await tablesOf(sql))).toEqual(rowsByName(await tablesOf(fresh)));
});

test.each(Array.from({ length: steps.length + 1 }, (_, n) => n))(
  "a database of commit 54c4947 and %d later migrations keeps its rows and gets today's schema",
  async (later) => {
    const sql = await server.open(await server.create());
    await sql.migrate('hotel', earlierHistory('hotel'));
    await fillHotel(sql);
    await sql.migrate('hotel', [...earlierHistory('hotel'), ...steps.slice(0, later)]);
    const before = await tablesOf(sql);
    for (const { name, rows } of before)
      expect([name, rows.length > 0 || /_\d$/.test(name)]).toEqual([name, true]);
    await sql.migrate('hotel', hotelMigrations);
    expect(await recordOf(sql)).toEqual(hotelMigrations.map(({ name }) => name));
    expect(await lostRows(sql, before)).toEqual([]);
    const outbox = rowsByName(await tablesOf(sql)).get('hotel_outbox');
    // None is lost, see above, and none is added; later migrations add columns.
    expect(outbox).toHaveLength(rowsByName(before).get('hotel_outbox')!.length);
    expect(await catalogueOf(sql)).toEqual(await catalogueOf(fresh));
    expect(await recount(sql)).toMatchObject({ oversold: [], miscounted: [], lost: [] });
    await sql.migrate('hotel', hotelMigrations);
  },
);

test('reservations from before the upgrade keep their promises', async () => {
  const sql = await server.open(await server.create());
  await sql.migrate('hotel', earlierHistory('hotel'));
  await fillHotel(sql);
  await sql.migrate('hotel', hotelMigrations);
  const reservations = new PostgresReservations({ sql });
  expect(await reservations.get('cancelled', staff)).toMatchObject({
    refundDueMinor: 70_000n,
    refundGrantedMinor: 70_000n,
    refundableMinor: (await reservations.get('cancelled', staff))!.paidMinor,
    refundedMinor: 0n,
    moneyVersion: 0,
  });
  const again = { ...asked, reservationId: 'held', userId: 'ada' as UserId };
  expect(await reservations.reserve(again)).toMatchObject({
    kind: 'repeated',
    reservation: { status: 'pending_payment', roomCount: 2 },
  });
  expect(await reservations.reserve({ ...again, reservationId: 'new', roomCount: 1 })).toMatchObject({
    kind: 'reserved',
  });
  const left = (await reservations.get('paid', staff))!.paidMinor - 100n;
  // The first read returns what was sent before.
  const money = { version: 7, refundedMinor: 100n, disputedMinor: 0n, refundableMinor: left };
  await reservations.noteMoney({ reservationId: 'paid', paymentId: 'paid', ...money });
  const cancelled = await reservations.cancel('paid', staff);
  expect(cancelled).toMatchObject({ reservation: { status: 'cancelled', refundDueMinor: left } });
  // Older, or of another payment: dropped.
  const later = { ...money, refundableMinor: 0n };
  await reservations.noteMoney({ reservationId: 'paid', paymentId: 'paid', ...later, version: 6 });
  await reservations.noteMoney({ reservationId: 'paid', paymentId: 'other', ...later, version: 9 });
  expect(await reservations.get('paid', staff)).toMatchObject({ refundDueMinor: left, moneyVersion: 7 });
  await reservations.close();
});

test('an open exchange ends, its rooms are free, the paid stay stays, and each payment is kept', async () => {
  const sql = await server.open(await server.create());
  await sql.migrate('hotel', earlierHistory('hotel'));
  await fillHotel(sql);
  const at = hotelMigrations.findIndex(({ name }) => name === '0036-stay-payments');
  await sql.migrate('hotel', hotelMigrations.slice(0, at));
  await sql.query("INSERT INTO stay_exchange VALUES ('held', 'paid', now()), ('never-made', 'paid', now())");
  const reserved = async () => {
    const { rows } = await sql.query('SELECT sum(total_reserved)::integer AS n FROM room_type_inventory');
    return rows[0]!['n'] as number;
  };
  const before = await reserved();
  await sql.migrate('hotel', hotelMigrations);
  expect(await reserved()).toBe(before - asked.roomCount);
  expect(await recount(sql)).toMatchObject({ oversold: [], miscounted: [], lost: [] });
  const { rows } = await sql.query(
    `SELECT body->>'reservationId' AS id, body->>'status' AS status FROM hotel_outbox
     ORDER BY event_id DESC LIMIT 2`,
  );
  // Booking withdraws the payment when it reads this.
  expect(rows).toContainEqual({ id: 'held', status: 'rejected' });
  const reservations = new PostgresReservations({ sql });
  const { paidMinor } = (await reservations.get('paid', staff))!;
  expect(await reservations.paymentsOf('paid')).toMatchObject([
    { paymentId: 'paid', supplementId: null, capturedMinor: paidMinor, refundedMinor: 0n },
  ]);
  expect(await reservations.paymentsOf('held')).toEqual([]);
  const payment = { paymentId: 'late', amountMinor: paidMinor, currency: 'SEK' };
  expect(await reservations.confirmPayment({ ...payment, reservationId: 'held' })).toMatchObject({
    ...{ kind: 'refund', reason: 'not-payable' },
  });
  await reservations.close();
});
