import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FaultPoint } from '#payment/faults/fault-points.js';
import { proveMoney } from '#payment/reconciliation/prove-money.js';
import type { PaymentEvent, PaymentOrder } from '#schemas/http/payments.js';
import { eventually } from '../eventually.js';
import { fetchOrProblem } from '../http-problems.js';
import { OrdersRoom } from './orders-fixture.js';

let room: OrdersRoom;
let clockMs = 0;
let dieAt: FaultPoint | undefined;
beforeAll(async () => {
  room = await OrdersRoom.open({
    nowMs: () => Date.now() + clockMs,
    reach: (point) => {
      if (point !== dieAt) return Promise.resolve();
      dieAt = undefined;
      return Promise.reject(new Error('the process died'));
    },
  });
});
afterAll(() => room?.close());

const token = 'service.shop';
async function authorized(amount = '10.50'): Promise<PaymentOrder> {
  const body = room.body([{ amount }], {
    capture_method: 'manual',
    buyer_info: { account: `b-${randomUUID()}` },
  });
  const event = (await (await room.post(body, { token })).json()) as PaymentEvent;
  const order = event.payment_orders[0]!;
  await room.typeCard(order);
  return until(order.payment_order_id, ({ pending }) => pending === 'capture');
}

const get = (id: string) => room.get(id, token);
const until = (id: string, wanted: (order: PaymentOrder) => boolean) =>
  eventually(async () => {
    const order = await get(id);
    if (!wanted(order)) throw new Error(`still ${JSON.stringify(order)}`);
    return order;
  });
const ended = (id: string) =>
  until(
    id,
    ({ is_final, ledger_updated, payment_order_status }) =>
      is_final && (payment_order_status === 'FAILED' || ledger_updated),
  );
async function ask(id: string, what: 'capture' | 'void', body?: object, as = token) {
  const response = await fetchOrProblem(`${room.url}/v1/payments/${id}/${what}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${as}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return {
    status: response.status,
    body: (await response.json()) as PaymentOrder & { code?: string; detail?: string },
  };
}
const capture = (id: string, amount?: string) => ask(id, 'capture', amount === undefined ? {} : { amount });
const atProvider = async (id: string) => {
  const { status, captured_minor } = await room.payment(id);
  return [status, captured_minor];
};

describe('an authorized payment', () => {
  it('is captured in part once, in ledger, order and at the provider; only that is refunded', async () => {
    const order = await authorized();
    const id = order.payment_order_id;
    expect(order).toMatchObject({
      capture_method: 'manual',
      capturable_amount: '10.50',
      captured_amount: '0.00',
      payment_order_status: 'EXECUTING',
    });
    expect(await atProvider(id)).toEqual(['authorized', '0']);
    expect(await room.ledgerTransfers(id)).toBe(0);
    expect((await capture(id, '10.51')).body).toMatchObject({
      code: 'capture-above-authorized',
      detail: '10.50 is authorized.',
    });
    expect((await capture(id, '0.001')).status).toBe(400);
    expect((await capture(id, '4.00')).status).toBe(202);
    const done = await ended(id);
    expect(done).toMatchObject({
      payment_order_status: 'SUCCESS',
      captured_amount: '4.00',
      capturable_amount: '0.00',
    });
    expect(await atProvider(id)).toEqual(['captured', '400']);
    expect(await room.count('SELECT amount AS n FROM ledger_transfer WHERE subject = $1', [id])).toBe(400);
    expect((await capture(id, '4.00')).status).toBe(200);
    expect((await capture(id)).body.code).toBe('payment-not-authorized');
    expect((await ask(id, 'void')).status).toBe(409);
    expect((await room.refund(id, { refund_id: randomUUID(), amount: '4.01' })).status).toBe(422);
    expect((await room.refund(id, { refund_id: randomUUID() })).body.amount).toBe('4.00');
    await until(id, ({ refunded_amount }) => refunded_amount === '4.00');
  });

  it('is voided: no money moves, and nothing can be captured any more', async () => {
    const { payment_order_id: id } = await authorized();
    expect((await ask(id, 'void')).status).toBe(202);
    expect(await ended(id)).toMatchObject({ payment_order_status: 'FAILED', failure_code: 'voided' });
    expect(await atProvider(id)).toEqual(['voided', '0']);
    expect((await ask(id, 'void')).status).toBe(200);
    expect((await capture(id)).status).toBe(409);
    expect(await room.ledgerTransfers(id)).toBe(0);
  });

  it('belongs to the service that submitted it, and only manual payments are captured', async () => {
    const { payment_order_id: id } = await authorized();
    for (const what of ['capture', 'void'] as const) {
      expect((await ask(id, what, what === 'capture' ? {} : undefined, 'service.other')).status).toBe(404);
      expect((await ask(id, what, what === 'capture' ? {} : undefined, 'customer.shop')).status).toBe(403);
      expect((await ask(id, what, what === 'capture' ? {} : undefined, 'merchant.shop')).status).toBe(403);
    }
    const body = room.body([{}], { buyer_info: { account: 'b' } });
    const event = (await (await room.post(body, { token })).json()) as PaymentEvent;
    const plain = event.payment_orders[0]!.payment_order_id;
    expect((await capture(plain)).status).toBe(409);
    expect((await ask(plain, 'void')).status).toBe(409);
  });

  it('is captured or voided, never both, when both are requested at the same time', async () => {
    for (let round = 0; round < 6; round += 1) {
      const { payment_order_id: id } = await authorized();
      const answers = await Promise.all([capture(id, '1.00'), capture(id, '2.00'), ask(id, 'void')]);
      expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
      const done = await ended(id);
      const [status, captured] = await atProvider(id);
      if (answers[2]!.status === 202)
        expect([done.failure_code, status, captured]).toEqual(['voided', 'voided', '0']);
      else expect([status, captured]).toEqual(['captured', answers[0]!.status === 202 ? '100' : '200']);
    }
  });

  it.each(['drop-before', 'drop-after', 'error-before', 'error-after', 'garbage-after', 'busy'])(
    'is captured once when the provider answers the capture with %s',
    async (fault) => {
      const { payment_order_id: id } = await authorized();
      await room.faults({ next: [{ operation: 'capture', fault: fault as never }] });
      expect((await capture(id, '3.00')).status).toBe(202);
      expect(await ended(id)).toMatchObject({ payment_order_status: 'SUCCESS', captured_amount: '3.00' });
      expect(await room.charges(id)).toBe(1);
      expect(await room.ledgerTransfers(id)).toBe(1);
    },
  );

  it.each(['before-psp-call', 'after-psp-call', 'after-answer-stored'] as const)(
    'is captured once when the work ends at %s and another process continues',
    async (point) => {
      const { payment_order_id: id } = await authorized();
      dieAt = point;
      expect((await capture(id, '2.00')).status).toBe(202);
      await eventually(() => expect(dieAt).toBeUndefined());
      // The claim of the one that died ends.
      clockMs += 20_000;
      expect(await ended(id)).toMatchObject({ payment_order_status: 'SUCCESS', captured_amount: '2.00' });
      expect(await room.charges(id)).toBe(1);
      expect(await room.ledgerTransfers(id)).toBe(1);
    },
  );

  it('expires after seven days, which is found without a webhook', async () => {
    const { payment_order_id: id } = await authorized();
    clockMs += 8 * 24 * 3_600_000;
    await room.control('POST', '/clock', { advance_ms: 8 * 24 * 3_600_000 });
    expect(await ended(id)).toMatchObject({ payment_order_status: 'FAILED', failure_code: 'expired' });
    expect((await capture(id)).status).toBe(409);
  });

  it('leaves books that agree', async () => {
    await eventually(async () => expect(await proveMoney(room.sql)).toMatchObject({ ledgerSum: 0n }));
    await expect(
      room.sql.query(`UPDATE payment_orders SET capture_minor = capture_minor + 1 WHERE capture_minor > 1`),
    ).rejects.toThrow(/keeps how it is captured|violates check/);
  });
});
