import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Guests } from '#hotel/guests/guests.js';
import { receiptsOf } from '#hotel/receipts/receipt-jobs.js';
import { Envelope } from '#platform/encryption/envelope.js';
import { type HotelDatabase, openHotelDatabase, requestFor } from '../hotel/inventory-database.js';
import { headerOf, type MailServer, startMailServer } from '../hotel/mail-server.js';
import { freePort, type RunningProgram, startProgram } from '../main-job/running-platform.js';

const key = Buffer.alloc(32, 7);
const guest = { name: 'Ada Lovelace', email: 'ada@example.org', guests: 1 };

let data: string;
let db: HotelDatabase;
let mails: MailServer;
let ports: readonly [number, number];
let program: RunningProgram;
let said = '';
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'meridian-receipts-'));
  [db, mails] = await Promise.all([openHotelDatabase(), startMailServer()]);
  ports = [await freePort(), await freePort()];
});
afterAll(async () => {
  await program?.stop();
  await mails?.close();
  await db?.dispose();
  await rm(data, { recursive: true, force: true });
});

const start = () =>
  startProgram('hotel', {
    ...{ data, ports },
    args: ['serve'],
    env: {
      SQL: db.address,
      MAIL: mails.address,
      MAIL_FROM: 'stays@example.org',
      GUEST_DATA_KEYS: key.toString('base64'),
    },
  });

test('killed between letter and acknowledgement, the program sends it again, then no more', async () => {
  const guests = new Guests({ sql: db.sql, envelope: new Envelope([key]) });
  const reservationId = randomUUID();
  const request = requestFor(await db.hotel(), {
    reservationId,
    guest: guests.seal(reservationId, guest),
  });
  const reservations = db.reservations();
  expect((await reservations.reserve(request)).kind).toBe('reserved');
  const found = (await reservations.get(reservationId, { staff: true }))!;
  const { priceMinor: amountMinor, currency } = found;
  await reservations.confirmPayment({ reservationId, paymentId: 'p', amountMinor, currency });

  mails.answer = 'hold';
  for (const times of [1, 2]) {
    program = await start();
    await expect.poll(() => mails.letters.length, { interval: 50 }).toBe(times);
    expect(await program.stop('SIGKILL')).toBeNull();
    said += program.output();
    expect(await receiptsOf(db.sql, reservationId)).toMatchObject([{ state: 'waiting', attempts: times }]);
    // As if the lease had ended.
    await db.sql.query('UPDATE receipt_mail SET next_attempt_at = now()');
  }
  mails.answer = 'take';
  program = await start();
  const state = async () => (await receiptsOf(db.sql, reservationId))[0]!.state;
  await expect.poll(state, { interval: 50 }).toBe('sent');
  await db.sql.query('UPDATE receipt_mail SET next_attempt_at = now()');
  expect(await program.stop()).toBe(0);
  said += program.output();
  expect(mails.letters).toHaveLength(3);
  expect(new Set(mails.letters.map((letter) => headerOf(letter, 'message-id'))).size).toBe(1);
  for (const secret of [guest.email, guest.name]) expect(said).not.toContain(secret);
});
