import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseCurrency } from '#payment/money/currency.js';
import { fingerprintOf } from '#payment/orders/idempotency-key.js';
import { closeCheckout, retryOrder } from '#payment/orders/retry-order.js';
import { submitPayment } from '#payment/orders/submit-payment.js';
import type { PaymentOrder } from '#schemas/http/payments.js';
import { eventually } from '../eventually.js';
import { iban, OrdersRoom } from './orders-fixture.js';

let room: OrdersRoom;
beforeAll(async () => {
  room = await OrdersRoom.open();
});
afterAll(() => room?.close());

const expiresMs = (): number => Date.now() + 600_000;

/** A checkout of one order that waits on the page of the provider. */
async function checkout({ takesRetries = true } = {}): Promise<PaymentOrder> {
  const money = { minor: 1_050n, currency: parseCurrency('EUR')! };
  const id = randomUUID();
  await submitPayment(room.service.submit, {
    caller: 'ada',
    key: id,
    fingerprint: fingerprintOf({ id }),
    checkoutId: randomUUID(),
    buyerAccount: 'ada',
    buyerInfo: '{}',
    cardInfo: '{}',
    ...(takesRetries ? { takesRetries } : {}),
    orders: [{ id, sellerAccount: iban, amount: '10.50', money }],
  });
  return onThePage(id);
}

async function onThePage(id: string): Promise<PaymentOrder> {
  await room.service.execute(id);
  return room.until(id, ({ payment_page_url }) => payment_page_url !== null);
}

async function declined(order: PaymentOrder): Promise<PaymentOrder> {
  await room.typeCard(order, '4000000000000002');
  return room.until(order.payment_order_id, ({ is_final }) => is_final);
}

const retry = (retryOf: string, id: string = randomUUID()) =>
  retryOrder(room.sql, { id, retryOf, expiresMs: expiresMs() }, Date.now());

const isDone = async ({ checkout_id }: PaymentOrder): Promise<boolean> =>
  (await room.service.view(checkout_id))!.is_payment_done;

test('P-007, P-024: after a decline another order follows; a success completes the checkout', async () => {
  const first = await declined(await checkout());
  expect(await isDone(first)).toBe(false);
  const id = randomUUID();
  expect(await retry(first.payment_order_id, id)).toBe('stored');
  expect(await retry(first.payment_order_id, id)).toBe('repeated');
  const second = await onThePage(id);
  expect(second).toMatchObject({ checkout_id: first.checkout_id, amount: '10.50', seller_account: iban });
  expect(await isDone(first)).toBe(false);
  await room.typeCard(second);
  await room.settled(id);
  await eventually(async () => expect(await isDone(first)).toBe(true));
  expect(await room.charges(id)).toBe(1);
});

test('P-050: of fifty concurrent retries of one order one is stored', async () => {
  const first = await declined(await checkout());
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => retry(first.payment_order_id)));
  expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(49);
  const { payment_orders: orders } = (await room.service.view(first.checkout_id))!;
  expect(orders).toHaveLength(2);
});

test('P-050: an order that may still succeed, or has succeeded, gets no follow-up order', async () => {
  const open = await checkout();
  expect(await retry(open.payment_order_id)).toBe('refused');
  const insert = room.sql.query(
    `INSERT INTO payment_orders (payment_order_id, checkout_id, position, buyer_account, seller_account,
       amount, amount_minor, currency, expires_at, created_at, changed_at, retry_of)
     SELECT $2, checkout_id, 7, buyer_account, seller_account, amount, amount_minor, currency, expires_at,
       created_at, changed_at, $1
     FROM payment_orders WHERE payment_order_id = $1`,
    [open.payment_order_id, randomUUID()],
  );
  await expect(insert).rejects.toThrow(/retries one that may still succeed/);
  await room.typeCard(open);
  await room.settled(open.payment_order_id);
  expect(await retry(open.payment_order_id)).toBe('refused');
});

test('a checkout that allows no retries, was closed, or is unknown gets no follow-up order', async () => {
  const plain = await declined(await checkout({ takesRetries: false }));
  expect(await isDone(plain)).toBe(true);
  expect(await retry(plain.payment_order_id)).toBe('refused');
  const closed = await declined(await checkout());
  await room.sql.transaction((tx) => closeCheckout(tx, closed.checkout_id));
  expect(await isDone(closed)).toBe(true);
  expect(await retry(closed.payment_order_id)).toBe('refused');
  expect(await retry(randomUUID())).toBe('refused');
});

test('I4: late money for the declined order while its follow-up is paid: one succeeds', async () => {
  for (let round = 0; round < 3; round += 1) {
    const first = await declined(await checkout());
    const id = randomUUID();
    await retry(first.payment_order_id, id);
    const second = await onThePage(id);
    await Promise.all([
      room.typeCard(second),
      room.control('POST', '/payments', { nonce: first.payment_order_id, status: 'captured' }),
    ]);
    await room.settled(id);
    const loser = await room.until(
      first.payment_order_id,
      ({ refunded_amount }) => refunded_amount === '10.50',
    );
    expect(loser).toMatchObject({ payment_order_status: 'FAILED', captured_amount: '10.50' });
    expect(await room.get(id)).toMatchObject({ payment_order_status: 'SUCCESS', refunded_amount: '0.00' });
  }
});
