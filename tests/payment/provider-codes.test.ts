import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { proves } from '#tools/acceptance/proves.js';
import { OrdersRoom } from './orders-fixture.js';

let room: OrdersRoom;
beforeAll(async () => {
  room = await OrdersRoom.open({ style: 'direct', pspTimeoutMs: 2_000 });
});
afterAll(() => room?.close());
beforeEach(() => room.faults({}));

const retried = ['issuer_unavailable', 'rate_limited', 'provider_unavailable', 'provider_unreachable'];

proves('P-124', {
  asked: 'each provider code leads to retry, refund, cancel or a person',
  shown: 'all 30: 17 refusals of the provider; six cards and two of fraud in executor; five in apply-payment',
  control: {
    in: 'payment/orders/code-actions.ts',
    change: "issuer_unavailable: 'retry',",
    to: "issuer_unavailable: 'cancel',",
  },
});
it.each([...retried, 'never_arrived', 'invalid_api_key'])(
  'P-124: a provider that refuses with %s is asked again, and the order is paid',
  async (code) => {
    await room.faults({ next: [{ operation: 'charges', fault: { status: 503, code } }], retryAfterS: 0 });
    const { payment_order_id: id } = await room.pay({}, 'tok_captured');
    const done = await room.until(id, ({ is_final }) => is_final);
    expect(done).toMatchObject({ payment_order_status: 'SUCCESS', attempts: 2 });
    expect(await room.charges(id)).toBe(1);
  },
);

const deadLetters = (id: string) =>
  room.count('SELECT count(*) AS n FROM payment_dead_letters WHERE subject_id = $1', [id]);
it.each([
  'incorrect_number',
  'authentication_required',
  'authentication_failed',
  'authentication_timeout',
  'expired',
  'voided',
])('P-124: a provider that refuses with %s ends the order', async (code) => {
  await room.faults({ next: [{ operation: 'charges', fault: { status: 402, code } }] });
  const order = await room.pay({}, 'tok_captured');
  const ended = { payment_order_status: 'FAILED', is_final: true, failure_code: code, attempts: 1 };
  expect(order).toMatchObject(ended);
  expect(await deadLetters(order.payment_order_id)).toBe(0);
});
it.each([
  'nonce_used_otherwise',
  'invalid_nonce',
  'invalid_amount',
  'invalid_currency',
  'invalid_expiry',
  'never_heard_of',
])('P-124: a provider that refuses with %s ends the order, and a person reviews it', async (code) => {
  await room.faults({ next: [{ operation: 'charges', fault: { status: 400, code } }] });
  const order = await room.pay({}, 'tok_captured');
  const ended = { payment_order_status: 'FAILED', is_final: true, failure_code: code, attempts: 1 };
  expect(order).toMatchObject(ended);
  expect(await deadLetters(order.payment_order_id)).toBe(1);
});
