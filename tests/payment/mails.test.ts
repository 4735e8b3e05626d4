import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addMailJob } from '#payment/notices/mail-jobs.js';
import { sendMails } from '#payment/notices/send-mails.js';
import { mailDefaults } from '#payment/settings/delivery-settings.js';
import { checkMail, type Mailer, MailRefused } from '#platform/mail/mailer.js';
import { openMailer } from '#platform/mail/open-mailer.js';
import type { Sql } from '#platform/sql/sql.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { noticeKind } from '#schemas/messages.js';
import { openLedgerDatabase } from './ledger-database.js';

let sql: Sql;
let dispose: () => Promise<void>;
let folder: string;
let nowMs = Date.parse('2026-11-21T12:00:00Z');
let names = 0;
beforeAll(async () => {
  ({ sql, dispose } = await openLedgerDatabase());
  folder = await mkdtemp(join(tmpdir(), 'meridian-mail-'));
});
afterAll(async () => {
  await dispose?.();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => sql.query('DELETE FROM payment_mail_jobs'));

/** A payment whose buyer gets a mail. */
async function job(buyerInfo: object | null): Promise<string> {
  const id = `mail-${names++}`;
  await sql.query(
    `INSERT INTO payment_events (checkout_id, caller, buyer_info, created_at) VALUES ($1, 'ada', $2, now())`,
    [id, buyerInfo === null ? null : JSON.stringify(buyerInfo)],
  );
  await sql.query(
    `INSERT INTO payment_orders (payment_order_id, checkout_id, position, buyer_account, seller_account, amount, amount_minor, currency,
       expires_at, created_at, changed_at) VALUES ($1, $1, 0, 'ada', 'DE', '10.00', 1000, 'EUR', now(), now(), now())`,
    [id],
  );
  const notice = {
    eventId: `${id}:completed`,
    kind: noticeKind.buyerCompleted,
    paymentOrderId: id,
    caller: 'ada',
    detail: 'SUCCESS',
    occurredMs: nowMs,
  };
  expect(await addMailJob(sql, notice)).toBe(true);
  expect(await addMailJob(sql, notice)).toBe(false);
  return id;
}

const send = (mailer: Mailer) =>
  sendMails({ sql, mailer, nowMs: () => nowMs, logger: silentLogger, settings: mailDefaults });
const states = async () =>
  (
    await sql.query<{ attempts: number; given_up: string | null; sent: boolean }>(
      'SELECT attempts, given_up, sent_at IS NOT NULL AS sent FROM payment_mail_jobs ORDER BY event_id',
    )
  ).rows;

/** A mail server with the minimum for a mail; `answers` are the replies to MAIL, RCPT and DATA. */
async function mailServer(answer: (said: string) => string): Promise<{ server: Server; letters: string[] }> {
  const letters: string[] = [];
  const server = createServer((socket) => {
    let letter: string[] | undefined;
    socket.write('220 here\r\n');
    socket.on('error', () => {});
    createInterface({ input: socket }).on('line', (line) => {
      if (letter !== undefined && line !== '.') letter.push(line);
      else if (letter !== undefined) {
        letters.push(letter.join('\n'));
        letter = undefined;
        socket.write('250 taken\r\n');
      } else if (line.startsWith('EHLO')) socket.write('250 here\r\n');
      else if (line === 'DATA') {
        letter = [];
        socket.write('354 go on\r\n');
      } else socket.write(`${answer(line)}\r\n`);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, letters };
}

const addressOf = (server: Server) => `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;

describe('mails to buyers', () => {
  test('P-054, P-125: a buyer is mailed once; without a mail server the mail is a file', async () => {
    const mailer = await openMailer(`dir:${folder}`, 'pay@example.org');
    const id = await job({ email: 'ada@example.org' });
    await Promise.all([send(mailer), send(mailer)]);
    await send(mailer);
    expect(await states()).toEqual([{ attempts: 1, given_up: null, sent: true }]);
    expect(await readdir(join(folder, 'mail'))).toEqual([`${id}.completed.eml`]);
    const letter = await readFile(join(folder, 'mail', `${id}.completed.eml`), 'utf8');
    expect(letter).toContain('To: ada@example.org');
    expect(letter).toContain(`Message-ID: <${id}.completed@meridian>`);
    expect(letter).toContain(`Your payment ${id} of 10.00 EUR is complete.`);
    await mailer.close();
  });

  test('a mail server receives it by SMTP; an unavailable one is retried with growing delays', async () => {
    let answer = '451 later';
    const { server, letters } = await mailServer((said) => (said.startsWith('RCPT') ? answer : '250 ok'));
    const mailer = await openMailer(addressOf(server), 'pay@example.org');
    await job({ email: 'ada@example.org' });
    await send(mailer);
    await send(mailer);
    expect(await states()).toEqual([{ attempts: 1, given_up: null, sent: false }]);
    answer = '250 ok';
    nowMs += 30_000;
    await send(mailer);
    expect(await states()).toEqual([{ attempts: 2, given_up: null, sent: true }]);
    expect(letters).toHaveLength(1);
    expect(letters[0]).toContain('From: pay@example.org');
    await mailer.close();
    server.close();
  });

  test('a mail is dropped if the server rejects it, or the buyer has no address or was erased', async () => {
    const { server } = await mailServer((said) => (said.startsWith('RCPT') ? '550 nobody' : '250 ok'));
    const mailer = await openMailer(addressOf(server), 'pay@example.org');
    await job({ email: 'nobody@example.org' });
    await job({ name: 'Ada' });
    await job(null);
    await send(mailer);
    expect((await states()).map(({ given_up }) => given_up)).toEqual(['refused', 'no address', 'no address']);
    await mailer.close();
    server.close();
  });

  test('bad input: an address that could be read as two, or as a header, is refused', () => {
    const mail = { id: 'a', subject: 's', text: 't' };
    for (const to of ['a@b.org, c@d.org', 'a@b.org\r\nBcc: c@d.org', '<a@b.org>', 'a b@c.org', 'a', ''])
      expect(() => checkMail({ ...mail, to })).toThrow(MailRefused);
    expect(() => checkMail({ ...mail, id: 'a>\r\nX: y', to: 'a@b.org' })).toThrow(MailRefused);
    expect(() => checkMail({ ...mail, to: 'ada.l+x@example.org' })).not.toThrow();
  });
});
