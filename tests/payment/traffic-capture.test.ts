import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paymentHttp } from '#payment/http/payment-http.js';
import { hostedPagePsp } from '#payment/psp/https-psp.js';
import { type PinnedHttps, pinnedHttps } from '#payment/psp/pinned-https.js';
import { openProviders } from '#payment/psp/providers.js';
import { type RunningSimulator, startPspSimulator } from '#payment-simulator/psp-simulator.js';
import type { PaymentEvent, PaymentOrder } from '#schemas/http/payments.js';
import { proves } from '#tools/acceptance/proves.js';
import { browsePage } from '../browse-page.js';
import { writtenNumber } from '../card-data-left.js';
import { apiKey, OrdersRoom, webhookSecret } from './orders-fixture.js';

const typed = { number: '4242424242424242', expiry: '12/39', cvc: '937' };

let provider: RunningSimulator;
let room: OrdersRoom;
let line: Server;
/** Where everybody reaches the service: bytes in both directions pass through the capture. */
let address: string;
/** Where the page of the provider sends the browser. */
let urls: { readonly success: string; readonly failure: string };
let servicePort = 0;
/** Every byte between the service and anybody else, requests to the provider and its answers included. */
let captured = '';

beforeAll(async () => {
  line = createServer((caller) => {
    const service = connect(servicePort, '127.0.0.1');
    caller.on('data', (bytes) => (captured += bytes.toString('latin1')));
    service.on('data', (bytes) => (captured += bytes.toString('latin1')));
    for (const [one, other] of [
      [caller, service],
      [service, caller],
    ] as const) {
      one.pipe(other);
      one.on('error', () => other.destroy());
    }
  });
  line.listen(0, '127.0.0.1');
  await once(line, 'listening');
  address = `http://127.0.0.1:${(line.address() as AddressInfo).port}`;
  provider = await startPspSimulator({ seed: 11, apiKey, webhookSecrets: [webhookSecret] });
  const https = pinnedHttps({
    baseUrl: provider.url,
    apiKey,
    pins: [provider.pin],
    authorities: provider.certificate,
  });
  const recorded: PinnedHttps = {
    call: async (...call) => {
      const reply = await https.call(...call);
      captured += JSON.stringify([call, reply]);
      return reply;
    },
    close: () => https.close(),
  };
  urls = { success: `${address}/v1/payment-return`, failure: `${address}/failed` };
  room = await OrdersRoom.open({
    providers: () => openProviders([hostedPagePsp(recorded, urls, [webhookSecret])]),
  });
  servicePort = Number(new URL(room.url).port);
  await fetch(`${provider.controlUrl}/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${address}/v1/psp/webhooks` }),
  });
});
afterAll(async () => {
  await room?.close();
  await provider?.close();
  line?.close();
});

/** The number with anything between its digits, or as base64 or hexadecimal text. */
const forms = (text: string): readonly RegExp[] => [
  writtenNumber(text),
  new RegExp(Buffer.from(text).toString('base64').slice(0, 20)),
  new RegExp(Buffer.from(text).toString('hex'), 'i'),
];

describe('what the service receives', () => {
  proves('P-063', {
    asked: 'token, success URL and failure URL; the service never gets card fields: routes and traffic',
    shown:
      'all bytes between service, buyer and provider, paid and declined: no card; no operation takes one',
    control: { test: 'control: the capture finds a card that somebody sends to the service' },
  });
  proves('P-063', {
    asked: 'the page is opened with token, success URL and failure URL',
    shown: 'its address has the token; a paid one leads to the success URL, a declined one to the other',
    control: {
      in: 'payment/psp/https-psp.ts',
      change: '  failure_url: failure,',
      to: '  failure_url: success,',
    },
  });
  it('P-063: a payment on the page of the provider, without a byte of the card', async () => {
    const response = await fetch(`${address}/v1/payments`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer customer.ada',
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify(room.body()),
    });
    expect(response.status).toBe(201);
    const [order] = ((await response.json()) as PaymentEvent).payment_orders;
    const page = new URL(order!.payment_page_url!);
    expect(page.href).toContain(order!.token!);
    const answer = await browsePage(page.href, provider.certificate, typed);
    expect(answer).toMatchObject({
      status: 303,
      location: expect.stringContaining(`${address}/v1/payment-return`),
    });
    expect((await fetch(answer.location)).status).toBe(200);
    await room.settled(order!.payment_order_id);
    const after = await fetch(`${address}/v1/payments/${order!.payment_order_id}`, {
      headers: { authorization: 'Bearer customer.ada' },
    });
    expect((await after.json()) as PaymentOrder).toMatchObject({ payment_order_status: 'SUCCESS' });

    // A declined card leads to the other address.
    const second = await fetch(`${address}/v1/payments`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer customer.ada',
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify(room.body()),
    });
    const [refused] = ((await second.json()) as PaymentEvent).payment_orders;
    const declined = { ...typed, number: '4000000000000002' };
    expect(await browsePage(refused!.payment_page_url!, provider.certificate, declined)).toMatchObject({
      status: 303,
      location: `${urls.failure}?tokenID=${refused!.token}&payResult=failure`,
    });
    await room.until(refused!.payment_order_id, ({ is_final }) => is_final);

    // The capture has the request, the registration with both URLs, the return and the webhook.
    for (const seen of [
      'POST /v1/payments ',
      '/v1/registrations',
      `"success_url":"${urls.success}"`,
      `"failure_url":"${urls.failure}"`,
      'GET /v1/payment-return',
      'POST /v1/psp/webhooks',
      'payment.captured',
    ])
      expect(captured, seen).toContain(seen);
    for (const form of [...forms(typed.number), ...forms(declined.number)])
      expect(form.exec(captured)?.[0]).toBeUndefined();
    for (const form of [/12\\?\/39/, /12%2F39/i, /cvc|cvv/i, /[="':\s]937[&"'\s,}]/])
      expect(form.exec(captured)?.[0]).toBeUndefined();
  });

  it('control: the capture finds a card that somebody sends to the service', async () => {
    const before = captured;
    await fetch(`${address}/v1/payments`, { method: 'POST', body: '4242 4242-4242 4242' });
    expect(forms(typed.number)[0]!.test(captured)).toBe(true);
    captured = before;
  });

  it('P-063: no operation of payment has a field for a number, an expiry or a code of a card', () => {
    const fields: string[] = [];
    const collect = (schema: unknown): void => {
      if (typeof schema !== 'object' || schema === null) return;
      for (const [name, value] of Object.entries(schema)) {
        if (name === 'properties') fields.push(...Object.keys(value as object));
        collect(value);
      }
    };
    for (const { contract } of paymentHttp(room.service)) {
      collect(contract.params);
      collect(contract.query);
      collect(contract.body?.schema);
    }
    expect(fields).toContain('payment_order_id');
    expect(
      fields.filter((name) => /cvc|cvv|security_?code|card_?number|^pan$|^number$|expir/i.test(name)),
    ).toEqual([]);
  });
});
