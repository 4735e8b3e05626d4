import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Guests } from '#hotel/guests/guests.js';
import { PostgresHotels } from '#hotel/hotels/postgres-hotels.js';
import { receiptLimits } from '#hotel/receipts/limits.js';
import { countReceipts, receiptsOf } from '#hotel/receipts/receipt-jobs.js';
import { type ReceiptDeps, sendReceipts } from '#hotel/receipts/send-receipts.js';
import type { PostgresReservations } from '#hotel/reservations/postgres-reservations.js';
import { Envelope } from '#platform/encryption/envelope.js';
import type { Mailer } from '#platform/mail/mailer.js';
import { openMailer } from '#platform/mail/open-mailer.js';
import type { Sql } from '#platform/sql/sql.js';
import { requestFor } from './inventory-database.js';
import { headerOf, type MailServer, partsOf, startMailServer } from './mail-server.js';
import { type ServedHotels, serveHotels } from './served-hotels.js';

let served: ServedHotels;
let sql: Sql;
let reservations: PostgresReservations;
let guests: Guests;
let mails: MailServer;
let mailer: Mailer;
let nowMs: number;
let troubles: string[];

beforeAll(async () => {
  served = await serveHotels();
  ({ sql } = served.database);
  reservations = served.database.reservations({ holdsPerUserMax: 1_000 });
  guests = new Guests({ sql, envelope: new Envelope([Buffer.alloc(32, 7)]) });
});
afterAll(() => served?.close());
beforeEach(async () => {
  await sql.query('DELETE FROM receipt_mail');
  troubles = [];
  nowMs = Date.now() + 1_000;
  mails = await startMailServer();
  mailer = await openMailer(mails.address, 'stays@example.org');
});
afterEach(async () => {
  await mailer.close();
  await mails.close();
});

const ada = { name: 'Ada Lovelace', email: 'ada@example.org', guests: 1 };

async function reserved(guest: typeof ada | Omit<typeof ada, 'email'> | null = ada): Promise<string> {
  const hotelId = await served.database.hotel();
  const reservationId = randomUUID();
  const sealed = guest === null ? {} : { guest: guests.seal(reservationId, guest) };
  const outcome = await reservations.reserve(requestFor(hotelId, { reservationId, ...sealed }));
  expect(outcome.kind).toBe('reserved');
  return reservationId;
}
async function pay(reservationId: string): Promise<void> {
  const found = await reservations.get(reservationId, { staff: true });
  const { priceMinor: amountMinor, currency } = found!;
  const payment = { reservationId, paymentId: `p-${reservationId}`, amountMinor, currency };
  expect((await reservations.confirmPayment(payment)).kind).toBe('paid');
}
async function paid(guest?: typeof ada): Promise<string> {
  const reservationId = await reserved(guest);
  await pay(reservationId);
  return reservationId;
}
const send = (given: Partial<ReceiptDeps> = {}) =>
  sendReceipts({
    ...{ sql, mailer, guests, reservations, hotels: new PostgresHotels({ sql }) },
    now: () => new Date(nowMs),
    onTrouble: (reservationId, what) => troubles.push(`${reservationId} ${what}`),
    ...given,
  });
const stateOf = async (reservationId: string) => (await receiptsOf(sql, reservationId))[0];

test('a paid stay is receipted once: text, page and calendar file, to the guest alone', async () => {
  const id = await reserved();
  await send();
  // Never before the payment.
  expect(await receiptsOf(sql, id)).toEqual([]);
  await pay(id);
  await Promise.all([send(), send(), send()]);
  await send();
  expect(mails.taken).toHaveLength(1);
  const [letter] = mails.taken;
  expect(headerOf(letter!, 'to')).toBe('ada@example.org');
  expect(headerOf(letter!, 'from')).toBe('stays@example.org');
  const { json } = await served.call('GET', `/v1/staff/reservations/${id}`, {
    token: served.tokens['siv']!,
    listener: 'internal',
  });
  const { bookingNumber, price, currency, startDate } = json.reservation;
  expect(headerOf(letter!, 'subject')).toBe(`Receipt for booking ${bookingNumber}, Opera`);
  const parts = partsOf(letter!);
  expect([...parts.keys()].sort()).toEqual(['text/calendar', 'text/html', 'text/plain']);
  for (const fact of [bookingNumber, 'Opera', 'Kungsgatan 1', startDate, `${price} ${currency}`, ada.name])
    for (const kind of ['text/plain', 'text/html']) expect(parts.get(kind), kind).toContain(fact);
  expect(parts.get('text/calendar')).toContain(`DESCRIPTION:Booking number ${bookingNumber}`);
  expect(letter).toContain(`filename=${bookingNumber}.ics`);
  expect(json.receipts).toEqual([{ state: 'sent', attempts: 1, sentAt: expect.any(String) }]);
});

test('a stay without a guest, or whose guest has no address or was erased, gets none', async () => {
  const without = await reserved(null);
  await pay(without);
  const { email: _, ...unreachable } = ada;
  const silent = await reserved(unreachable);
  await pay(silent);
  const erased = await paid();
  await guests.erase({ reservationId: erased });
  await send();
  expect(mails.letters).toEqual([]);
  expect(await receiptsOf(sql, without)).toEqual([]);
  for (const id of [silent, erased])
    expect(await stateOf(id)).toMatchObject({ state: 'failed', failure: 'the guest has no address' });
});

test('each payment has its receipt, in the transaction that takes it', async () => {
  const id = await reserved();
  const found = (await reservations.get(id, { staff: true }))!;
  const payment = { reservationId: id, paymentId: 'wrong', amountMinor: 1n, currency: found.currency };
  expect((await reservations.confirmPayment(payment)).kind).toBe('refund');
  expect(await receiptsOf(sql, id)).toEqual([]);
  await pay(id);
  await pay(id).catch(() => {});
  expect(await receiptsOf(sql, id)).toHaveLength(1);
});

test('bad input: markup and directions in names change neither the page nor the headers', async () => {
  const hostile = '<script>alert(1)</script>\u202eevil" onload="x';
  const id = await reserved({ ...ada, name: hostile });
  await sql.query(
    `UPDATE hotel SET name = $2, address = $3 WHERE hotel_id = (SELECT hotel_id FROM reservation WHERE reservation_id = $1)`,
    [id, 'Grand\r\nBcc: eve@example.org <b>', 'A & B <img src=x>'],
  );
  await pay(id);
  await send();
  const [letter] = mails.taken;
  expect(headerOf(letter!, 'bcc')).toBeUndefined();
  expect(headerOf(letter!, 'to')).toBe('ada@example.org');
  const html = partsOf(letter!).get('text/html')!;
  expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; evil&quot; onload=&quot;x');
  for (const wrong of ['<script', '<img', '<b>', '\u202e']) expect(html).not.toContain(wrong);
});

test('a letter that arrived but was not acknowledged is sent again under the same id', async () => {
  const id = await paid();
  mails.answer = 'cut off';
  await send();
  expect(mails.taken).toHaveLength(1);
  expect(await stateOf(id)).toMatchObject({ state: 'waiting', attempts: 1 });
  mails.answer = 'take';
  await send();
  expect(mails.taken).toHaveLength(1);
  nowMs += receiptLimits.retryMs;
  await send();
  expect(mails.taken).toHaveLength(2);
  const ids = mails.taken.map((letter) => headerOf(letter, 'message-id'));
  expect(ids[0]).toMatch(/^<receipt-[0-9a-f]{64}@meridian>$/);
  expect(ids[1]).toBe(ids[0]);
  expect(await stateOf(id)).toMatchObject({ state: 'sent', failure: null });
});

test('a process that dies before it notes the letter leaves it to another, after the lease', async () => {
  const id = await paid();
  const dying: Sql = {
    ...sql,
    query: (text, ...rest) => {
      if (text.includes("SET state = 'sent'") || text.includes('SET next_attempt_at = $3'))
        return Promise.reject(new Error('this process is dead'));
      return sql.query(text, ...rest);
    },
    transaction: (...given) => sql.transaction(...given),
  };
  await send({ sql: dying });
  expect(mails.taken).toHaveLength(1);
  nowMs += receiptLimits.leaseMs - 1;
  await send();
  expect(mails.taken).toHaveLength(1);
  nowMs += 1;
  await send();
  expect(mails.taken).toHaveLength(2);
  expect(await stateOf(id)).toMatchObject({ state: 'sent', attempts: 2 });
});

test('while the mail server is down, pauses grow; then staff see it, and another address helps', async () => {
  const id = await paid();
  const { address } = mails;
  await mails.close();
  await send();
  mails = await startMailServer(Number(new URL(address).port));
  mails.answer = 451;
  const pauses: number[] = [];
  while ((await stateOf(id))!.state === 'waiting') {
    const { rows } = await sql.query<{ next: Date }>('SELECT next_attempt_at AS next FROM receipt_mail');
    pauses.push(rows[0]!.next.getTime() - nowMs);
    nowMs = rows[0]!.next.getTime();
    await sql.query('UPDATE receipt_mail SET queued_at = $1', [new Date(nowMs)]);
    await send();
  }
  expect(pauses).toHaveLength(receiptLimits.attemptsMax - 1);
  expect(pauses.slice(0, 3)).toEqual([1, 2, 4].map((times) => times * receiptLimits.retryMs));
  expect(Math.max(...pauses)).toBe(receiptLimits.retryMsMax);
  expect(mails.letters).toHaveLength(receiptLimits.attemptsMax - 1);
  const token = served.tokens['siv']!;
  const seen = await served.call('GET', `/v1/staff/reservations/${id}`, { token, listener: 'internal' });
  expect(seen.json.receipts).toMatchObject([
    { state: 'failed', failure: 'the mail server did not take it', attempts: receiptLimits.attemptsMax },
  ]);
  expect(await countReceipts(sql)).toEqual({ waiting: 0, failed: 1 });
  // Addresses are nowhere: the server repeats them in its answers.
  const { rows } = await sql.query<{ text: string }>('SELECT m::text AS text FROM receipt_mail m');
  expect([...troubles, rows[0]!.text].join('\n')).not.toMatch(/\bada\b/);
  expect(troubles).toHaveLength(receiptLimits.attemptsMax);

  mails.answer = 'take';
  nowMs = Date.now() + 1_000;
  const guest = { ...ada, email: 'countess@example.org' };
  expect((await guests.put(id, { staff: true }, guest, new Date())).kind).toBe('changed');
  await send();
  expect(headerOf(mails.taken[0]!, 'to')).toBe('countess@example.org');
  expect((await guests.put(id, { staff: true }, ada, new Date())).kind).toBe('changed');
  await send();
  expect(mails.taken).toHaveLength(1);
});

test('a refused address is given up at once; without a mail server letters wait three days', async () => {
  const refused = await paid();
  mails.answer = 550;
  await send();
  const failure = 'the mail server refused the address';
  expect(await stateOf(refused)).toMatchObject({ state: 'failed', failure, attempts: 1 });
  const waiting = await paid();
  const off = { mailer: undefined };
  expect(await send(off)).toBe(false);
  expect(await stateOf(waiting)).toMatchObject({ state: 'waiting', attempts: 0 });
  nowMs += receiptLimits.waitsMs;
  await send(off);
  expect(await stateOf(waiting)).toMatchObject({ state: 'failed', failure: 'it waited too long' });
});
