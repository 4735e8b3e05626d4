import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer as createProxy, request as overHttp } from 'node:http';
import { createServer as createTlsProxy, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PinnedHttps, pinnedHttps } from '#payment/psp/pinned-https.js';
import { evidenceFields } from '#payment/psp/psp-dispute.js';
import { stripeClient, stripeVersion } from '#payment/psp/stripe/stripe-client.js';
import { stripePsp } from '#payment/psp/stripe/stripe-psp.js';
import { makeCertificate } from '#payment-simulator/certificate.js';
import { eventually } from '../eventually.js';

/** Stripe's own server for tests: it checks every request against the published description of the API. */
const binary = join(fileURLToPath(new URL('../..', import.meta.url)), 'data', 'stripe-mock', 'stripe-mock');

interface Exchange {
  readonly request: string;
  readonly status: number;
  readonly answer: string;
}

let mock: ChildProcess;
let proxy: Server;
let https: PinnedHttps;
const exchanges: Exchange[] = [];

beforeAll(async () => {
  if (!existsSync(binary))
    throw new Error('stripe-mock is missing; `npm run stripe-mock -- --get` builds it.');
  const port = await freePort();
  mock = spawn(binary, ['-http-port', String(port), '-strict-version-check'], { stdio: 'ignore' });
  const certificate = makeCertificate('stripe-mock', Date.now());
  proxy = createTlsProxy({ key: certificate.key, cert: certificate.certificate }, (incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const forward = overHttp({ port, host: '127.0.0.1', method, path: url, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        exchanges.push({ request: `${method} ${url}`, status: answer.statusCode ?? 0, answer: text });
        outgoing.writeHead(answer.statusCode ?? 0, { 'content-type': 'application/json' }).end(text);
      });
    });
    forward.on('error', () => outgoing.destroy());
    incoming.pipe(forward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  https = pinnedHttps({
    baseUrl: `https://localhost:${(proxy.address() as AddressInfo).port}`,
    apiKey: 'sk_test_123',
    pins: [certificate.pin],
    authorities: certificate.certificate,
    answerBytesMax: 4 * 1024 * 1024,
  });
  await eventually(async () => {
    expect(await https.call('GET', '/v1/balance')).toMatchObject({ kind: 'reply' });
  });
});
afterAll(async () => {
  https?.close();
  proxy?.closeAllConnections();
  proxy?.close();
  if (mock?.exitCode === null) {
    mock.kill();
    await once(mock, 'close');
  }
});

async function freePort(): Promise<number> {
  const server = createProxy();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const order = {
  nonce: 'order-1',
  amountMinor: 1_050n,
  currency: 'EUR',
  expiresMs: Date.now() + 900_000,
  attempt: 1,
};
const urls = { success: 'https://shop.invalid/back', failure: 'https://shop.invalid/back' };
const keptCard = { token: 'pm_123', customer: 'cus_123' };
const cardPage = {
  nonce: 'page-1',
  payments: 3,
  totalMinor: 6_050n,
  currency: 'EUR',
  expiresMs: Date.now() + 15 * 60_000,
  attempt: 1,
};
const refund = {
  nonce: 'refund-1',
  paymentNonce: 'order-1',
  paymentReference: 'pi_123',
  amountMinor: 5n,
  currency: 'EUR',
  attempt: 1,
};

describe('every request of the adapter has the shape that Stripe publishes', () => {
  const psp = () => stripePsp(https, { webhookSecrets: [], urls });
  const keep = () => Promise.resolve(true);
  it.each<[string, readonly string[], () => Promise<unknown>]>([
    ['a session', ['POST /v1/checkout/sessions'], () => psp().begin(order, keep)],
    [
      'an intent',
      ['POST /v1/payment_intents'],
      () => psp().begin({ ...order, cardToken: 'pm_card_visa' }, keep),
    ],
    [
      'a confirmation',
      ['POST /v1/payment_intents/pi_123/confirm'],
      () => psp().begin({ ...order, cardToken: 'pm_card_visa', reference: 'pi_123' }, keep),
    ],
    [
      'a query of an intent',
      ['GET /v1/payment_intents/pi_123'],
      () => psp().query({ ...order, reference: 'pi_123' }),
    ],
    [
      'a query of a session',
      ['GET /v1/checkout/sessions/cs_1'],
      () => psp().query({ ...order, reference: 'cs_1' }),
    ],
    [
      'a cancellation',
      ['POST /v1/payment_intents/pi_123/cancel'],
      () => psp().cancel({ ...order, reference: 'pi_123' }),
    ],
    [
      'the end of a session',
      ['POST /v1/checkout/sessions/cs_1/expire'],
      () => psp().cancel({ ...order, reference: 'cs_1' }),
    ],
    ['a refund', ['POST /v1/refunds'], () => psp().refund(refund)],
    [
      'a refund again',
      ['GET /v1/refunds?payment_intent=pi_123&limit=100', 'POST /v1/refunds'],
      () => psp().refund({ ...refund, attempt: 2 }),
    ],
    [
      'evidence against a dispute',
      ['POST /v1/files', 'POST /v1/disputes/dp_123'],
      () =>
        psp().answerDispute({
          kind: 'evidence',
          disputeId: 'dp_123',
          nonce: 'answer-1',
          texts: Object.fromEntries(evidenceFields.map((field) => [field, `about ${field}`])),
          documents: [
            { id: 'd', purpose: 'receipt', contentType: 'image/png', bytes: Buffer.from('89504e47', 'hex') },
          ],
        }),
    ],
    [
      'a dispute given up',
      ['POST /v1/disputes/dp_123/close'],
      () => psp().answerDispute({ kind: 'acceptance', disputeId: 'dp_123', nonce: 'answer-2' }),
    ],
    [
      'a session that keeps the card',
      ['POST /v1/checkout/sessions'],
      () => psp().begin({ ...order, keepCard: true }, keep),
    ],
    [
      'an intent that keeps the card, with its customer',
      ['POST /v1/customers', 'POST /v1/payment_intents'],
      () => psp().begin({ ...order, cardToken: 'pm_card_visa', keepCard: true }, keep),
    ],
    [
      'an intent with a kept card',
      ['POST /v1/payment_intents'],
      () => psp().begin({ ...order, savedCard: keptCard }, keep),
    ],
    [
      'its confirmation without the buyer',
      ['POST /v1/payment_intents/pi_123/confirm'],
      () => psp().begin({ ...order, savedCard: keptCard, reference: 'pi_123', offSession: true }, keep),
    ],
    [
      'a query of a kept card',
      ['GET /v1/payment_intents/pi_123?expand[0]=payment_method'],
      () => psp().keptCard({ ...order, reference: 'pi_123' }),
    ],
    [
      'the deletion of a kept card',
      ['POST /v1/payment_methods/pm_123/detach', 'DELETE /v1/customers/cus_123'],
      () => psp().deleteCard(keptCard),
    ],
    [
      'a page that takes a card for several orders',
      ['POST /v1/checkout/sessions'],
      () => psp().openCardPage(cardPage),
    ],
    [
      'a query of such a page',
      ['GET /v1/checkout/sessions/cs_123?expand[0]=setup_intent.payment_method'],
      () => psp().cardPage({ ...cardPage, reference: 'cs_123' }),
    ],
    [
      'its end',
      ['POST /v1/checkout/sessions/cs_123/expire'],
      () => psp().closeCardPage({ ...cardPage, reference: 'cs_123' }),
    ],
    [
      'the settlement',
      ['GET /v1/balance_transactions?'],
      () => psp().settlement!({ fromMs: Date.now() - 86_400_000, toMs: Date.now() }),
    ],
  ])('%s', async (_, requests, call) => {
    exchanges.length = 0;
    await call();
    const asked = exchanges.map(({ request }) => request);
    for (const [at, start] of requests.entries()) expect(asked[at]).toContain(start);
    for (const { status, answer } of exchanges)
      expect([status, answer.slice(0, 300)]).toEqual([200, expect.anything()]);
  });

  it('control: a field that Stripe does not know, or another version, is refused', async () => {
    const stripe = stripeClient(https);
    const unknown = await stripe.post('/v1/payment_intents', { amount: '5', currency: 'eur', nonce: 'n' });
    expect(unknown).toMatchObject({ status: 400 });
    const missing = await stripe.post('/v1/payment_intents', { currency: 'eur' });
    expect(missing).toMatchObject({ status: 400 });
    const old = await https.call('GET', '/v1/payment_intents/pi_1', undefined, {
      'stripe-version': '2020-08-27',
    });
    expect([stripeVersion, old.kind === 'reply' && old.status]).toEqual(['2026-08-26.dahlia', 400]);
  });
});
