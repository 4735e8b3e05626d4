import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as captures from '#schemas/http/captures.js';
import * as finance from '#schemas/http/finance.js';
import * as merchantAccounts from '#schemas/http/merchant-accounts.js';
import * as merchantWebhooks from '#schemas/http/merchant-webhooks.js';
import * as merchants from '#schemas/http/merchants.js';
import { getPaymentReturn } from '#schemas/http/payment-return.js';
import * as payments from '#schemas/http/payments.js';
import type { RouteContract } from '#schemas/http/route-contract.js';
import { canaryTraces, probesOf, tablesWithCanary } from '../card-data-probe.js';
import { OrdersRoom } from './orders-fixture.js';

let room: OrdersRoom;
beforeAll(async () => {
  room = await OrdersRoom.open();
});
afterAll(() => room?.close());

const contracts = Object.values({
  ...captures,
  ...payments,
  ...finance,
  ...merchants,
  ...merchantAccounts,
  ...merchantWebhooks,
}).filter((one): one is RouteContract & typeof one => 'operationId' in one);
/** Made or signed by the provider; none of it is stored as it arrived. */
const ofProvider: readonly RouteContract[] = [getPaymentReturn];

it('P-023, P-110: every operation of payments refuses a card number in any field', async () => {
  expect(contracts.length).toBeGreaterThan(12);
  for (const contract of contracts.filter((one) => !ofProvider.includes(one)))
    for (const probe of probesOf(contract)) {
      const of = `${contract.operationId}, ${probe.what}`;
      const response = await fetch((probe.internal ? room.internalUrl : room.url) + probe.path, {
        method: probe.method,
        headers: {
          authorization: `Bearer ${probe.scope}.ada`,
          ...(probe.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...probe.headers,
        },
        ...(probe.body === undefined ? {} : { body: JSON.stringify(probe.body) }),
      });
      const text = await response.text();
      expect([of, response.status, text]).toEqual([of, 400, expect.stringContaining('card-number-refused')]);
      for (const trace of canaryTraces) expect(text, of).not.toContain(trace);
    }
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
