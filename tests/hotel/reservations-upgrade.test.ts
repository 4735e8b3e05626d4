import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadHotels } from '#hotel/load/load-hotels.js';
import { hotelMigrations } from '#hotel/migrations.js';
import { PostgresReservations } from '#hotel/reservations/postgres-reservations.js';
import { addDays } from '#hotel/reservations/stay-days.js';
import { openSql } from '#platform/sql/open-sql.js';
import type { Sql } from '#platform/sql/sql.js';
import type { UserId } from '#schemas/units.js';

const staff = { staff: true } as const;
const arrival = addDays(new Date().toISOString().slice(0, 10), 20);

let folder: string;
let sql: Sql;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-upgrade-'));
  sql = await openSql(`embedded:${folder}`);
});
afterAll(async () => {
  await sql?.close();
  await rm(folder, { recursive: true, force: true });
});

test('reservations from before the upgrade keep what they promise, without an event', async () => {
  const since = hotelMigrations.findIndex(({ name }) => name.endsWith('-add-payment-returned'));
  await sql.migrate('hotel', hotelMigrations.slice(0, since));
  await loadHotels(sql, { hotels: 1, roomTypes: 1, rooms: 4, days: 40 });
  const reservations = new PostgresReservations({ sql });
  const make = async (reservationId: string) => {
    const dates = { startDate: arrival, endDate: arrival, roomCount: 2 };
    const outcome = await reservations.reserve({
      reservationId,
      userId: 'ada' as UserId,
      hotelId: 'h00001',
      roomTypeId: 't01',
      ...dates,
    });
    if (outcome.kind !== 'reserved') throw new Error(outcome.kind);
  };
  await make('paid');
  await make('cancelled');
  const pay = `UPDATE reservation SET status = 'paid', paid_minor = price_minor, payment_id = reservation_id`;
  await sql.query(pay);
  await sql.query(
    `UPDATE reservation SET status = 'cancelled', refund_due_minor = 70000
     WHERE reservation_id = 'cancelled'`,
  );
  const events = () => sql.query('SELECT event_id FROM hotel_outbox');
  const before = (await events()).rowCount;
  await sql.migrate('hotel', hotelMigrations);
  expect((await events()).rowCount).toBe(before);
  expect(await reservations.get('cancelled', staff)).toMatchObject({
    refundDueMinor: 70_000n,
    refundGrantedMinor: 70_000n,
    refundableMinor: (await reservations.get('cancelled', staff))!.paidMinor,
    refundedMinor: 0n,
    moneyVersion: 0,
  });
  const left = (await reservations.get('paid', staff))!.paidMinor - 100n;
  // The first reading tells what had gone before.
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
