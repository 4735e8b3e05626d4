import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { proves } from '#tools/acceptance/proves.js';
import { eventually } from '../eventually.js';
import { HotelUnderFault } from './hotel-under-fault.js';

const rooms = 10;

let hotel: HotelUnderFault;
beforeAll(async () => {
  hotel = await HotelUnderFault.open({ rooms });
});
afterAll(() => hotel?.close());

proves('F23', {
  asked: 'kill -9 between reservation and payment: held rooms are released after the stated time',
  shown: 'all rooms of a night are held, the program is killed, the time passes: all are free again',
  settings: ['the holds are moved 15 minutes back in the database, instead of waiting'],
  control: {
    in: 'hotel/reservations/settle-payment.ts',
    change: '  if (rows.length === 0) return expireSupplements(tx, now, limit);\n',
    to: '  if (rows.length >= 0) return expireSupplements(tx, now, limit);\n',
  },
  from: 'outside',
});
it('F23: rooms that a killed program held for unpaid stays are sold again after their time', async () => {
  const reserve = async () => {
    const token = await hotel.token(randomUUID());
    return (await hotel.call('POST', '/v1/reservations', token, hotel.form(randomUUID()))).status;
  };
  for (let room = 0; room < hotel.roomsMax; room += 1) expect(await reserve()).toBe(201);
  expect(await reserve()).toBe(409);
  await hotel.killed();
  expect(await reserve()).toBe(409);
  const sql = await hotel.sql();
  await sql.query("UPDATE reservation SET hold_expires_at = hold_expires_at - interval '16 minutes'");
  await sql.close();
  await eventually(async () => expect(await reserve()).toBe(201), { deadlineMs: 30_000, everyMs: 250 });
  for (let room = 1; room < hotel.roomsMax; room += 1) expect(await reserve()).toBe(201);
  expect(await reserve()).toBe(409);
  await hotel.countsAreRight();
});
