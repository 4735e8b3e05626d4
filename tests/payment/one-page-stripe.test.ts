import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PinnedHttps, pinnedHttps } from '#payment/psp/pinned-https.js';
import { openProviders } from '#payment/psp/providers.js';
import { stripePsp } from '#payment/psp/stripe/stripe-psp.js';
import type { CallFault } from '#payment-simulator/faults.js';
import { type RunningSimulator, startPspSimulator } from '#payment-simulator/psp-simulator.js';
import { Cart, cards, type ProviderSide } from './cart-fixture.js';
import { apiKey, OrdersRoom, webhookSecret } from './orders-fixture.js';

let room: OrdersRoom;
let stripe: RunningSimulator;
let https: PinnedHttps;
let side: ProviderSide;

beforeAll(async () => {
  stripe = await startPspSimulator({ seed: 3, apiKey, webhookSecrets: [webhookSecret] });
  https = pinnedHttps({
    baseUrl: stripe.url,
    apiKey,
    pins: [stripe.pin],
    authorities: stripe.certificate,
    timeoutMs: 400,
  });
  const urls = { success: 'https://shop.invalid/back', failure: 'https://shop.invalid/back' };
  room = await OrdersRoom.open({
    settings: { leaseMs: 300 },
    providers: () => openProviders([stripePsp(https, { webhookSecrets: [webhookSecret], urls })]),
  });
  await control('/webhooks', { stripe_url: `${room.url}/v1/psp/stripe/webhooks` });
  side = {
    certificate: () => stripe.certificate,
    lines: async () =>
      (await fetch(`${stripe.controlUrl}/record`)).json() as ReturnType<ProviderSide['lines']>,
  };
});
afterAll(async () => {
  await room?.close();
  await stripe?.close();
});

const control = (path: string, body: object) =>
  fetch(stripe.controlUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

it('one card, one question of the bank, three charges; the card is deleted with its customer', async () => {
  const cart = await Cart.submit(room, side);
  const url = cart.firstPage!;
  expect((await cart.browse(url)).text).toContain('60.00 EUR in 3 payments');
  await cart.type(url, cards.challenge);
  const { location } = await cart.browse(url, { answer: 'approve' });
  const back = await fetch(`${room.url}/v1/payment-return${new URL(location).search}`);
  expect(back.status).toBe(200);
  const orders = await cart.endsWell();
  expect(orders.map((one) => one.payment_order_status)).toEqual(Array(3).fill('SUCCESS'));
  expect(
    (await side.lines()).filter((line) => line.kind === 'payment' && line.payment.status === 'challenge'),
  ).toEqual([]);
  const customers = new Map<string, boolean>();
  for (const line of await side.lines())
    if (line.kind === 'customer') customers.set(line.customer.id, line.customer.deletedMs !== undefined);
  expect([...customers.values()]).toEqual([true]);
});

it('an order that is declined takes another card', async () => {
  const cart = await Cart.submit(room, side);
  await cart.type(cart.firstPage!, cards.littleFunds);
  await cart.until((all) => all[2]!.retry_of !== null && all[2]!.payment_page_url !== null);
  await cart.type(await cart.page());
  expect((await cart.endsWell()).map((one) => one.payment_order_status)).toEqual(Array(3).fill('SUCCESS'));
});

it.each<readonly [string, CallFault]>(
  ['card-pages', 'query', 'intents', 'confirm', 'cards'].flatMap((operation) =>
    (['drop-before', 'drop-after', 'error-after'] as const).map((fault) => [operation, fault] as const),
  ),
)('a call of %s ends with %s: each order is charged once', async (operation, fault) => {
  await control('/faults', { next: [{ operation, fault }] });
  const cart = await Cart.submit(room, side, ['10.00', '20.00']);
  await cart.type(await cart.page());
  expect((await cart.endsWell()).map((one) => one.payment_order_status)).toEqual(['SUCCESS', 'SUCCESS']);
  await control('/faults', {});
});
