import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listFindings } from '#payment/reconciliation/finance-queue.js';
import { reconcileSettlement } from '#payment/reconciliation/reconcile.js';
import { calmDay } from '../calm-day.js';
import { eventually } from '../eventually.js';
import { OrdersRoom } from './orders-fixture.js';

let room: OrdersRoom;
beforeAll(async () => {
  room = await OrdersRoom.open();
});
afterAll(() => room?.close());

it("P-100, P-124: the provider's file agrees with captures, refunds, disputes and reversals", async () => {
  const day = await calmDay();
  const paid = await room.pay({ amount: '40.00' });
  await room.typeCard(paid);
  await room.settled(paid.payment_order_id);
  await room.refund(paid.payment_order_id, { refund_id: randomUUID(), amount: '1.50' });
  await room.until(paid.payment_order_id, ({ refunded_amount: back }) => back === '1.50');

  // 30.00 is requested, and the provider takes 99.00: all of it is booked and refunded.
  const wrong = await room.pay({ amount: '30.00' });
  const id = wrong.payment_order_id;
  await room.control('POST', '/payments', { nonce: id, status: 'captured', amount_minor: '9900' });
  await room.webhook('payment.captured', await room.payment(id));
  const back = await room.until(id, ({ refunded_amount: refunded }) => refunded === '99.00');
  expect(back).toMatchObject({ payment_order_status: 'FAILED', captured_amount: '99.00' });

  const declined = await room.pay({ amount: '5.00' });
  await room.typeCard(declined, '4000000000000002');
  await room.until(declined.payment_order_id, ({ payment_order_status: status }) => status === 'FAILED');

  // One capture each, and one refund each.
  await eventually(async () =>
    expect(await room.count('SELECT count(DISTINCT operation || subject) AS n FROM ledger_transfer')).toBe(4),
  );
  const { file } = await room.control<{ file: string }>('GET', `/settlement?day=${day}`);
  expect(file.split('\n').filter((line) => /^(charge|refund),/.test(line))).toHaveLength(4);
  const bytes = Readable.from([Buffer.from(file)]);
  const outcome = await reconcileSettlement(room.sql, { source: 'psp', bytes, now: new Date() });
  if (outcome.kind !== 'reconciled') throw new Error(outcome.detail);
  expect(outcome.report.found).toEqual({});
  // The file adds nothing to what the wrong captures themselves put into the queue.
  const queued = await listFindings(room.sql, { limit: 200 });
  expect(queued.map(({ kind, fileNo }) => [kind, fileNo])).toEqual(
    queued.map(() => ['capture_differs', undefined]),
  );
});
