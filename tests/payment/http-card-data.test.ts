import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { paymentHttp } from '#payment/http/payment-http.js';
import { getPaymentReturn } from '#schemas/http/payment-return.js';
import { postProviderWebhook, postPspWebhook } from '#schemas/http/psp-webhooks.js';
import type { RouteContract } from '#schemas/http/route-contract.js';
import { routeContracts } from '#schemas/http/routes.js';
import { proves } from '#tools/acceptance/proves.js';
import { expectNoCardNumbers } from '../card-data-left.js';
import {
  canary,
  canaryCode,
  canaryTraces,
  probesOf,
  tablesWithCanary,
  writtenCode,
} from '../card-data-probe.js';
import { eventually } from '../eventually.js';
import { OrdersRoom } from './orders-fixture.js';
import { pdfOf } from './pdf-fixture.js';
import { fileOf, lineOf } from './settlement-order.js';

let room: OrdersRoom;
beforeAll(async () => {
  // The files of the database are searched for what it must not store.
  room = await OrdersRoom.open({ ownDatabase: true });
});
afterAll(() => room?.close());

/** Made or signed by the provider; none of it is stored as it arrived. */
const ofProvider: readonly RouteContract[] = [postPspWebhook, postProviderWebhook, getPaymentReturn];
const withFiles = ['postSettlementFile', 'putDisputeDocument'];

/** The canary in both operations that take files; each file is accepted without it. */
async function sendFiles(): Promise<void> {
  const number = '4242424242424242';
  const [day, of] = [new Date('2026-11-20T00:00:00Z'), { reference: 'REFERENCE' }];
  const lines = ['one', 'two'].map((order) => lineOf(order, 1_000, day, of));
  const file = fileOf('night', day, lines);
  const query = '?accept_late_because=the+provider+had+an+outage';
  const upload = (bytes: Uint8Array) =>
    send('POST', `${room.internalUrl}/v1/finance/settlement-files${query}`, 'finance.ada', bytes, 'text/csv');
  const withNumber = fileOf('night', day, [lines[0]!, lines[1]!.replace('REFERENCE', number)]);
  const detail =
    'The settlement file is rejected (card_number): ' +
    'The psp_reference of line 2 seems to be or to contain a card number.';
  expect(await upload(withNumber)).toMatchObject([422, { code: 'settlement-file-refused', detail }]);
  expect(await room.count('SELECT count(*) AS n FROM settlement_file')).toBe(0);
  expect(await upload(file)).toMatchObject([201, { lines: 2 }]);

  const { payment_order_id: nonce } = await room.pay();
  await room.control('POST', '/payments', { nonce, status: 'captured' });
  await room.settled(nonce);
  const due = { nonce, due_ms: Date.now() + 86_400_000 };
  const { id } = await room.control<{ id: string }>('POST', '/disputes', due);
  const disputes = `${room.internalUrl}/v1/disputes/${id}`;
  await eventually(async () => expect((await send('GET', disputes, 'finance.ada'))[0]).toBe(200));
  const put = (bytes: Uint8Array, type = 'application/pdf') =>
    send('PUT', `${disputes}/documents/receipt`, 'finance.ada', bytes, type);
  const bodies = (text: string): readonly (readonly [Uint8Array, string])[] => [
    [pdfOf([{ bytes: `BT (Card ${text}) Tj ET` }]), 'application/pdf'],
    [pdfOf([{ bytes: `BT (Card ${text}) Tj ET`, isPacked: false }]), 'application/pdf'],
    [pdfOf([], `<< /Title (Card ${text}) >>`), 'application/pdf'],
    [Buffer.concat([Buffer.from('ffd8fffe0020', 'hex'), Buffer.from(text.padEnd(30))]), 'image/jpeg'],
  ];
  for (const text of [number, canary.replaceAll(/[^\d]/g, ' '), `CVV ${canaryCode}`])
    for (const [bytes, type] of bodies(text))
      expect(await put(bytes, type)).toMatchObject([400, { code: 'card-number-refused' }]);
  expect(await room.count('SELECT count(*) AS n FROM dispute_document')).toBe(0);
  for (const [bytes, type] of bodies('ending 4242'))
    expect(await put(bytes, type)).toMatchObject([201, { dispute_id: id }]);
}

async function send(
  method: string,
  url: string,
  token: string,
  body?: Uint8Array,
  type = '',
): Promise<[status: number, body: unknown]> {
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': type }) };
  const response = await fetch(url, { method, headers, ...(body && { body: Buffer.from(body) }) });
  return [response.status, await response.json()];
}

proves('P-023', {
  asked: 'a canary number sent through every route is found nowhere',
  shown: 'a document of a dispute with it in text, title or comment is refused before it is stored',
  control: {
    in: 'payment/http/dispute-routes.ts',
    change: "if (found === 'card data') return problem(",
    to: 'if (found === undefined) return problem(',
  },
});
proves('P-023', {
  asked: 'a canary number and code sent through every route are in no table, WAL, log, metric',
  shown:
    'every route of the payment program, with settlement files and documents: no table, file, log, metric',
  missing: 'pixels of a document; one number in a settlement file among many ids of the same form',
  control: {
    in: 'platform/http/server/request-pipeline.ts',
    change: 'if (logsRequests)',
    to: "this.#options.logger.debug('request', { path });\n      if (logsRequests)",
  },
});
it('P-023, P-110: operations refuse a number and a code in any field, and keep neither', async () => {
  const contracts = paymentHttp(room.service).map(({ contract }) => contract);
  expect(contracts.length).toBeGreaterThan(50);
  for (const contract of contracts) expect(routeContracts).toContain(contract);
  const withoutJson = contracts.filter(
    ({ body }) => body?.contentTypes.includes('application/json') === false,
  );
  expect(withoutJson.map(({ operationId }) => operationId).toSorted()).toEqual(withFiles);
  for (const contract of contracts)
    for (const probe of probesOf(contract)) {
      const of = `${contract.operationId}, ${probe.what}`;
      const response = await fetch((probe.internal ? room.internalUrl : room.url) + probe.path, {
        method: probe.method,
        headers: {
          authorization: `Bearer ${probe.scope}.ada`,
          ...(probe.body === undefined ? {} : { 'content-type': probe.contentType! }),
          ...probe.headers,
        },
        ...(probe.body === undefined ? {} : { body: JSON.stringify(probe.body) }),
      });
      const text = await response.text();
      if (ofProvider.includes(contract)) expect(response.ok, of).toBe(false);
      else
        expect([of, response.status, text]).toEqual([
          of,
          400,
          expect.stringContaining('card-number-refused'),
        ]);
      for (const trace of [...canaryTraces, writtenCode, `"${canaryCode}"`])
        expect(text, of).not.toContain(trace);
    }
  await sendFiles();
  // A payment that is accepted: the search below reads what it has left.
  const { payment_order_id: accepted } = await room.pay();
  await eventually(async () =>
    expect(await room.count('SELECT count(*) AS n FROM payment_outbox WHERE sent_at IS NULL')).toBe(0),
  );
  await room.sql.query('CHECKPOINT');
  expect(await tablesWithCanary(room.sql)).toEqual([]);
  const output = `${room.logLines.join('\n')}${(await room.metrics.scrape()).text}`;
  for (const trace of canaryTraces) expect(output).not.toContain(trace);
  await expectNoCardNumbers(room.folder, output, ['4242424242424242'], [canaryCode]);
  await expect(expectNoCardNumbers(room.folder, '', [accepted])).rejects.toThrow('pg_wal');
  await expect(expectNoCardNumbers(room.folder, output, ['http_request'])).rejects.toThrow('the output');
});

it.each([
  { card: '4242.4242.4242.4242' },
  { card: '4242/4242/4242/4242' },
  { card: '4242\u00a04242\u00a04242\u00a04242' },
  { card: '4242\u200b4242\u200b4242\u200b4242' },
  {
    card: '\u0664\u0662\u0664\u0662\u0664\u0662\u0664\u0662\u0664\u0662\u0664\u0662\u0664\u0662\u0664\u0662',
  },
  { cvv: '123' },
])('P-023: a payment with %j in buyer_info is refused and nothing of it is stored', async (info) => {
  const body = room.body();
  const response = await room.post({ ...body, buyer_info: { ...(body['buyer_info'] as object), ...info } });
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
    400,
    'card-number-refused',
  ]);
});

it('P-023: no table and no log contains any of it, and long harmless numbers are accepted', async () => {
  expect(await tablesWithCanary(room.sql)).toEqual([]);
  const log = room.logLines.join('\n');
  for (const trace of canaryTraces) expect(log).not.toContain(trace);
  const body = room.body();
  const buyer = {
    ...(body['buyer_info'] as object),
    phone: '+49 171 1234 56789',
    ref: randomUUID(),
    at: Date.now(),
  };
  expect((await room.post({ ...body, buyer_info: buyer })).status).toBe(201);
});
