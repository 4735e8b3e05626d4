import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Processor } from '#platform/stream/start-processor.js';
import type { PaymentEvent, PaymentOrder } from '#schemas/http/payments.js';
import { proves } from '#tools/acceptance/proves.js';
import { eventually } from '../eventually.js';
import { OrdersRoom } from './orders-fixture.js';

let room: OrdersRoom;
let wallet: Processor | undefined;
beforeAll(async () => {
  // The test starts the group of the wallet.
  room = await OrdersRoom.open({ groups: ['payment-ledger', 'payment-executor'] });
});
afterAll(async () => {
  await wallet?.close();
  await room?.close();
});

interface Progress {
  readonly orders: number;
  readonly in_ledger: number;
  readonly in_wallet: number;
  readonly done: boolean;
}

describe('a payment event with several orders', () => {
  const progress = async (checkoutId: string): Promise<Progress | undefined> => {
    const { rows } = await room.sql.query<Progress & Readonly<Record<string, unknown>>>(
      `SELECT count(*)::int AS orders, count(*) FILTER (WHERE o.ledger_updated)::int AS in_ledger,
         count(*) FILTER (WHERE o.wallet_updated)::int AS in_wallet, e.is_payment_done AS done
       FROM payment_events e JOIN payment_orders o USING (checkout_id)
       WHERE checkout_id = $1 GROUP BY e.is_payment_done`,
      [checkoutId],
    );
    return rows[0];
  };

  proves('P-001', {
    asked: 'k orders: event and orders are stored before any call, then wallet, ledger, done',
    shown:
      'three orders: all stored when the provider has the first; then ledger, wallet, done, in this order',
    missing: 'the wallet before the ledger: here it is derived from the ledger, so it cannot be ahead of it',
    control: {
      in: 'payment/orders/finish-event.ts',
      change: 'AND NOT (is_final AND (',
      to: 'AND position < 2 AND NOT (is_final AND (',
    },
  });
  it('P-001: is stored whole before the first call, and done when ledger and wallet have it', async () => {
    const delays = Array.from({ length: 3 }, () => ({
      operation: 'registrations',
      fault: 'delay-after' as const,
    }));
    await room.faults({ next: delays, delayMs: 500 });
    const body = room.body([{}, {}, {}]);
    const checkoutId = body['checkout_id'] as string;
    const ids = (body['payment_orders'] as { payment_order_id: string }[]).map(
      (order) => order.payment_order_id,
    );
    const answer = room.post(body);
    const registered = async () =>
      (await room.record()).flatMap((line) =>
        line.kind === 'payment' && ids.includes(line.payment.nonce) ? [line.payment.nonce] : [],
      );
    await eventually(async () => expect((await registered()).length).toBeGreaterThan(0), { everyMs: 5 });
    expect(await progress(checkoutId)).toEqual({ orders: 3, in_ledger: 0, in_wallet: 0, done: false });
    const { payment_orders: orders } = (await (await answer).json()) as PaymentEvent;
    const payOn = async ({ payment_order_id: id }: PaymentOrder) =>
      room.typeCard(await room.until(id, ({ payment_page_url: page }) => (page ?? null) !== null));
    await payOn(orders[0]!);
    await payOn(orders[1]!);
    const two = { orders: 3, in_ledger: 2, in_wallet: 0, done: false };
    await eventually(async () => expect(await progress(checkoutId)).toEqual(two));
    wallet = await room.startGroup('payment-wallet');
    await eventually(async () => expect(await progress(checkoutId)).toEqual({ ...two, in_wallet: 2 }));
    await payOn(orders[2]!);
    const all = { orders: 3, in_ledger: 3, in_wallet: 3, done: true };
    await eventually(async () => expect(await progress(checkoutId)).toEqual(all));
    for (const id of ids) expect([await room.charges(id), await room.ledgerTransfers(id)]).toEqual([1, 1]);
  });
});
