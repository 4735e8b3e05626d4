import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { RiskCheck } from '#payment/risk/risk-check.js';
import type { PaymentOrder } from '#schemas/http/payments.js';
import { eventually } from '../eventually.js';
import { Cart, cards, type ProviderSide } from './cart-fixture.js';
import { OrdersRoom } from './orders-fixture.js';

let room: OrdersRoom;
let side: ProviderSide;
let decision: 'allow' | 'review' = 'allow';
const risk: RiskCheck = { name: 'test', assess: () => Promise.resolve({ decision, reason: 'test' }) };

beforeAll(async () => {
  room = await OrdersRoom.open({ risk, settings: { leaseMs: 300 } });
  side = { certificate: () => room.psp.addresses.certificate, lines: () => room.record() };
});
afterAll(() => room?.close());
beforeEach(() => {
  decision = 'allow';
});

const statuses = (orders: readonly PaymentOrder[]) => orders.map((one) => one.payment_order_status);
const refusal = async (id: string, token?: string) => {
  const answer = await room.cancel(id, token);
  return [answer.status, ((await answer.json()) as { detail?: string }).detail];
};

it('one order of a cart: the others are charged, and a repeated request changes nothing', async () => {
  const cart = await Cart.submit(room, side);
  const [, second] = cart.ids as [string, string, string];
  expect((await room.cancel(second)).status).toBe(202);
  expect((await room.cancel(second)).status).toBe(200);
  await cart.type(cart.firstPage!);
  const orders = await cart.endsWell();
  expect(statuses(orders)).toEqual(['SUCCESS', 'FAILED', 'SUCCESS']);
  expect(orders[1]).toMatchObject({ failure_code: 'voided', retried_by: null });
  expect((await room.cancel(second)).status).toBe(200);
});

it('all orders of a cart: the page takes no card any more', async () => {
  const cart = await Cart.submit(room, side);
  for (const id of cart.ids) expect((await room.cancel(id)).status).toBe(202);
  expect(statuses(await cart.endsWell())).toEqual(['FAILED', 'FAILED', 'FAILED']);
  await cart.type(cart.firstPage!);
  await cart.endsWell();
});

it('a declined order names the one in its place, which can be cancelled', async () => {
  const cart = await Cart.submit(room, side);
  await cart.type(cart.firstPage!, cards.littleFunds);
  const after = await cart.until((all) => all[2]!.retry_of !== null && all[2]!.payment_page_url !== null);
  const follower = after[2]!.payment_order_id;
  expect(await refusal(cart.ids[2]!)).toEqual([
    409,
    `It has failed, and ${follower} is in its place. Cancel that one.`,
  ]);
  expect((await room.cancel(follower)).status).toBe(202);
  expect(statuses(await cart.endsWell())).toEqual(['SUCCESS', 'SUCCESS', 'FAILED']);
});

it('what is charged or authorized is not cancelled, nor what others have', async () => {
  const paid = await room.pay({}, undefined);
  await room.typeCard(paid);
  await room.settled(paid.payment_order_id);
  expect(await refusal(paid.payment_order_id)).toEqual([409, 'It is already charged. Refund it instead.']);
  expect((await refusal(paid.payment_order_id, 'customer.bob'))[0]).toBe(404);
  expect((await room.get(paid.payment_order_id)).payment_order_status).toBe('SUCCESS');

  const token = 'service.shop';
  const body = room.body([{}], { capture_method: 'manual', buyer_info: { account: 'ada' } });
  const event = (await (await room.post(body, { token })).json()) as { payment_orders: PaymentOrder[] };
  const { payment_order_id: id } = event.payment_orders[0]!;
  await room.typeCard(event.payment_orders[0]!);
  await eventually(async () => expect((await room.get(id, token)).pending).toBe('capture'));
  expect(await refusal(id, token)).toEqual([409, 'It is authorized. Void it instead.']);
});

it('what the bank processes is not cancelled', async () => {
  const { payment_order_id: id } = await room.pay();
  await room.control('POST', '/payments', { nonce: id, status: 'processing' });
  await room.webhook('payment.processing', await room.payment(id));
  await room.until(id, ({ pending }) => pending === 'processing');
  expect(await refusal(id)).toEqual([409, 'The provider is processing it. Read it again in a minute.']);
  await room.control('POST', '/payments', { nonce: id, status: 'captured' });
  await room.settled(id);
});

it('an order on a page of its own, or under review, ends without a charge', async () => {
  const waiting = await room.pay();
  decision = 'review';
  const reviewed = await room.pay();
  for (const { payment_order_id: id } of [waiting, reviewed]) {
    expect((await room.cancel(id)).status).toBe(202);
    const ended = await room.until(id, ({ is_final: isFinal }) => isFinal);
    expect(ended.failure_code).toBe('voided');
  }
  await room.typeCard(waiting);
  expect(await room.charges(waiting.payment_order_id)).toBe(0);
});

it('at the moment of the card: charged once or cancelled, and the answer does not lie', async () => {
  for (const waitMs of [0, 5, 10, 20, 40, 80, 160]) {
    const cart = await Cart.submit(room, side, ['10.00', '20.00']);
    await cart.type(cart.firstPage!);
    await delay(waitMs);
    const { status } = await room.cancel(cart.ids[0]!);
    const [first, second] = await cart.endsWell();
    expect(second!.payment_order_status).toBe('SUCCESS');
    if (status === 409) expect(first!.payment_order_status).toBe('SUCCESS');
    else expect(status).toBe(202);
  }
});
