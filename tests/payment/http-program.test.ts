import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PaymentEvent, PaymentOrder } from '#schemas/http/payments.js';
import { proves } from '#tools/acceptance/proves.js';
import { browsePage, certificateIn } from '../browse-page.js';
import { expectNoCardNumbers } from '../card-data-left.js';
import { meridian, type RunningProgram, startProgram } from '../main-job/running-platform.js';

let data: string;
let program: RunningProgram;
beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'meridian-payment-program-'));
});
afterAll(async () => {
  await program?.stop();
  expect(typed.size).toBeGreaterThan(0);
  await expectNoCardNumbers(data, program.output(), [...typed]);
  await rm(data, { recursive: true, force: true });
});

const typed = new Set<string>();
/** The buyer, on the page of the provider. */
const typeCard = async (page: string, number: string): Promise<string> => {
  typed.add(number);
  return (await browsePage(page, await certificateIn(data), { number })).location;
};

/** Their places are agreed upon outside of this project, or do not change with a version of the API. */
const ofTheProgram = new Set([
  '/healthz',
  '/livez',
  '/readyz',
  '/version',
  '/metrics',
  '/.well-known/jwks.json',
]);

/** Of the document that a listener serves. */
async function paymentPaths(url: string): Promise<string[]> {
  const document = (await (await fetch(`${url}/v1/openapi.json`)).json()) as {
    paths: Record<string, object>;
  };
  expect(await new Validator().validate({ ...document })).toMatchObject({ valid: true });
  const others = Object.keys(document.paths).filter((path) => !path.startsWith('/v1/'));
  expect(others.filter((path) => !ofTheProgram.has(path))).toEqual([]);
  return Object.keys(document.paths)
    .filter((path) => path.includes('payment') || path.includes('psp'))
    .toSorted();
}

/** What the program says of its limits: to a customer with a token, and to a browser that comes back. */
async function ratesOf({ url, token }: RunningProgram, id: string): Promise<(string | null)[]> {
  const customer = { authorization: `Bearer ${await token('ada', 'customer')}` };
  const asked = [
    fetch(`${url}/v1/payments/${id}`, { headers: customer }),
    fetch(`${url}/v1/payment-return?tokenID=nobody`),
  ];
  return (await Promise.all(asked)).map(({ headers }) => headers.get('ratelimit-policy'));
}

proves('P-063', {
  asked: 'token and URLs; the service never gets card fields',
  shown:
    'a payment over the page of the provider by the real program; its traffic in payment/traffic-capture',
});
proves('P-115', {
  asked: '401 and 403 on both routes',
  shown: 'the program with real tokens: none, no token, another signature, another scope on POST and GET',
});
proves('P-131', {
  asked: 'every path begins with /v1',
  shown:
    'every path that the listeners describe; not health, version, metrics, keys and pages about problems',
  control: {
    in: 'schemas/http/payments.ts',
    change: "path: '/v1/payments/{payment_order_id}/cancel',",
    to: "path: '/payments/{payment_order_id}/cancel',",
  },
});
test('P-063, P-115, P-128, P-131: meridian payment, from checkout to the page and back', async () => {
  program = await startProgram('payment', { data });
  const token = await program.token('ada', 'customer');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const id = randomUUID();
  const answer = await fetch(`${program.url}/v1/payments`, {
    method: 'POST',
    headers: { ...headers, 'idempotency-key': randomUUID() },
    body: JSON.stringify({
      checkout_id: randomUUID(),
      buyer_info: {},
      credit_card_info: {},
      payment_orders: [
        { seller_account: 'DE89370400440532013000', amount: '12.00', currency: 'EUR', payment_order_id: id },
      ],
    }),
  });
  const text = await answer.text();
  expect(answer.status, text).toBe(201);
  const [order] = (JSON.parse(text) as PaymentEvent).payment_orders;
  const back = await typeCard(order!.payment_page_url!, '4242424242424242');
  const returned = (await (await fetch(back)).json()) as PaymentOrder;
  expect(returned.payment_order_id).toBe(id);
  const settled = async () => {
    const read = await fetch(`${program.url}/v1/payments/${id}`, { headers });
    const { payment_order_status, wallet_updated } = (await read.json()) as PaymentOrder;
    return [payment_order_status, wallet_updated];
  };
  await expect.poll(settled, { interval: 100 }).toEqual(['SUCCESS', true]);
  expect(await ratesOf(program, id)).toEqual(['"user";q=6000;w=60', '"address";q=6000;w=60']);

  const signed = token.split('.');
  const forged = [...signed.slice(0, 2), signed[2]!.split('').toReversed().join('')].join('.');
  const driver = await program.token('ada', 'driver');
  for (const [method, path] of [
    ['POST', '/v1/payments'],
    ['GET', `/v1/payments/${id}`],
  ] as const) {
    const statuses: number[] = [];
    for (const by of [undefined, 'nonsense', forged, driver]) {
      const asked = await fetch(program.url + path, {
        method,
        headers: {
          ...(by === undefined ? {} : { authorization: `Bearer ${by}` }),
          ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
        },
        ...(method === 'GET' ? {} : { body: '{}' }),
      });
      statuses.push(asked.status);
    }
    expect([method, ...statuses]).toEqual([method, 401, 401, 401, 403]);
  }

  expect(await paymentPaths(program.url)).toEqual([
    '/v1/merchant/payments',
    '/v1/merchant/payments-export',
    '/v1/merchant/payments/{payment_order_id}',
    '/v1/payment-return',
    '/v1/payments',
    '/v1/payments/{payment_order_id}',
    '/v1/payments/{payment_order_id}/cancel',
    '/v1/payments/{payment_order_id}/capture',
    '/v1/payments/{payment_order_id}/refunds',
    '/v1/payments/{payment_order_id}/refunds/{refund_id}',
    '/v1/payments/{payment_order_id}/void',
    '/v1/psp/webhooks',
    '/v1/psp/{provider}/webhooks',
  ]);
  expect(await paymentPaths(program.internalUrl)).toEqual([
    '/v1/finance/payments',
    '/v1/finance/payments/{payment_order_id}',
    '/v1/finance/payments/{payment_order_id}/settlement',
    '/v1/payment-dead-letters',
    '/v1/payment-dead-letters/{id}/redrive',
    '/v1/payment-reviews',
    '/v1/payments/{payment_order_id}',
    '/v1/payments/{payment_order_id}/refunds',
    '/v1/payments/{payment_order_id}/refunds/{refund_id}',
    '/v1/payments/{payment_order_id}/refunds/{refund_id}/review',
    '/v1/payments/{payment_order_id}/review',
  ]);
  const refused = await fetch(`${program.url}/v1/psp/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect(refused.headers.get('content-type')).toContain('application/problem+json');
  expect((await fetch(`${program.url}/problems/webhook-not-verified`)).status).toBe(200);

  const list = await meridian(['payment', 'dlq', 'list'], { MERIDIAN_DATA: data });
  expect([list.code, list.stdout]).toEqual([0, '']);
  const show = await meridian(['payment', 'dlq', 'show', '7'], { MERIDIAN_DATA: data });
  expect([show.code, show.stderr.trim()]).toEqual([3, 'There is no dead letter 7.']);
  expect(await program.stop()).toBe(0);
});

proves('P-130', {
  asked: 'rate limits are configuration with defaults, and a test reads each back',
  shown: 'RATE_PER_USER, RATE_PER_ADDRESS: the running program states 6000 by default, and 70 and 50 if set',
  control: {
    in: 'cli/start/serve.ts',
    change: "perMinute('user', config.RATE_PER_USER)",
    to: "perMinute('user', 6000)",
  },
});
test('P-130: meridian payment limits requests by RATE_PER_USER and RATE_PER_ADDRESS', async () => {
  program = await startProgram('payment', { data, env: { RATE_PER_USER: '70', RATE_PER_ADDRESS: '50' } });
  expect(await ratesOf(program, randomUUID())).toEqual(['"user";q=70;w=60', '"address";q=50;w=60']);
  expect(await program.stop()).toBe(0);
});
