import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProviders } from '#payment/psp/providers.js';
import type { Processor } from '#platform/stream/start-processor.js';
import type { PaymentEvent, PaymentOrder } from '#schemas/http/payments.js';
import { proves } from '#tools/acceptance/proves.js';
import { eventually } from '../eventually.js';
import { OrdersRoom } from './orders-fixture.js';

let room: OrdersRoom;
let wallet: Processor | undefined;
/** Of each call that starts a payment: its nonce, and what anybody else saw stored at that moment. */
const atCalls: { nonce: string; stored: unknown }[] = [];
beforeAll(async () => {
  room = await OrdersRoom.open({
    // The test starts the group of the wallet.
    groups: ['payment-ledger', 'payment-executor'],
    providers: (own) =>
      openProviders([
        {
          ...own,
          begin: async (order, keep) => {
            const { rows } = await room.sql.query(
              `SELECT e.checkout_id AS event, o.payment_order_id AS order
               FROM payment_events e JOIN payment_orders o USING (checkout_id) WHERE o.payment_order_id = $1`,
              [order.nonce],
            );
            atCalls.push({ nonce: order.nonce, stored: rows });
            return own.begin(order, keep);
          },
        },
      ]),
  });
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

  const payOn = async ({ payment_order_id: id }: PaymentOrder, card?: string) =>
    room.typeCard(await room.until(id, ({ payment_page_url: page }) => (page ?? null) !== null), card);

  proves('P-001', {
    asked: 'the event is stored before any call, each order before its own',
    shown:
      'three: both rows are read just before each call, and are older than it in the record of the provider',
    settings: ['each registration is answered after 500 ms'],
    control: {
      in: 'payment/http/payment-routes.ts',
      change: 'const outcome = await submitPayment(service.submit, {',
      to: `const ask = { expiresMs: Date.now() + 900_000, attempt: 1 };
      for (const { id, money } of parsed.event.orders)
        await service.webhooks.providers
          .of('psp')!
          .begin(
            { ...ask, nonce: id, amountMinor: money.minor, currency: money.currency },
            async () => true,
          );
      const outcome = await submitPayment(service.submit, {`,
    },
  });
  proves('P-001', {
    asked: 'then wallet, then ledger, then is_payment_done',
    shown: 'two of three paid: ledger, wallet, not done; the third in both as well: done, each charged once',
    settings: ['the group of the wallet starts after the ledger has two'],
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
    expect(atCalls.toSorted((one, other) => (one.nonce < other.nonce ? -1 : 1))).toEqual(
      ids.toSorted().map((id) => ({ nonce: id, stored: [{ event: checkoutId, order: id }] })),
    );
    const { rows: created } = await room.sql.query<{ id: string; event: Date; order: Date }>(
      `SELECT payment_order_id AS id, e.created_at AS event, o.created_at AS order
       FROM payment_events e JOIN payment_orders o USING (checkout_id) WHERE checkout_id = $1`,
      [checkoutId],
    );
    const calls = new Map(
      (await room.record()).flatMap((line) =>
        line.kind === 'payment' && line.cause === 'registration' ? [[line.payment.nonce, line.atMs]] : [],
      ),
    );
    expect(created.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    for (const { id, event, order } of created) {
      expect(event.getTime()).toBeLessThanOrEqual(Math.min(...calls.values()));
      expect(order.getTime()).toBeLessThanOrEqual(calls.get(id)!);
    }
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

  proves('P-024', {
    asked: 'false until every order is terminal and the ledger and wallet flags of the successful are true',
    shown:
      'one of two is paid and in the ledger, the other declined: done only once the wallet has the first',
    control: {
      in: 'payment/orders/finish-event.ts',
      change: '(ledger_updated AND wallet_updated)',
      to: 'ledger_updated',
    },
  });
  it('P-024, P-001: is not done while the wallet lacks a successful order', async () => {
    await wallet?.close();
    const body = room.body([{}, {}]);
    const checkoutId = body['checkout_id'] as string;
    const { payment_orders: orders } = (await (await room.post(body)).json()) as PaymentEvent;
    await payOn(orders[0]!);
    const one = { orders: 2, in_ledger: 1, in_wallet: 0, done: false };
    await eventually(async () => expect(await progress(checkoutId)).toEqual(one));
    await payOn(orders[1]!, '4000000000000002');
    await room.until(orders[1]!.payment_order_id, ({ is_final: isFinal }) => isFinal);
    expect(await progress(checkoutId)).toEqual(one);
    wallet = await room.startGroup('payment-wallet');
    const all = { ...one, in_wallet: 1, done: true };
    await eventually(async () => expect(await progress(checkoutId)).toEqual(all));
  });
});
