import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { workOnPages } from '#payment/executor/work-on-pages.js';
import { cartFaultPoints, type FaultPoint } from '#payment/faults/fault-points.js';
import { callFaults, type FaultPlan } from '#payment-simulator/faults.js';
import { eventually } from '../eventually.js';
import { runs } from '../property-runs.js';
import { Cart, cards, type ProviderSide } from './cart-fixture.js';
import { OrdersRoom } from './orders-fixture.js';

let room: OrdersRoom;
let side: ProviderSide;
let clockMs = 0;
const nowMs = () => Date.now() + clockMs;
/** Of the points of the executor, how many are survived. */
let diesIn = Infinity;
const deadly = new Set<FaultPoint>([
  'before-psp-call',
  'after-psp-call',
  'after-answer-stored',
  ...cartFaultPoints.paid,
  ...cartFaultPoints.unpaid,
]);
const carts = Number(process.env['CARTS'] ?? runs(15));

beforeAll(async () => {
  room = await OrdersRoom.open({
    nowMs,
    pspTimeoutMs: 300,
    settings: { leaseMs: 200 },
    reach: (point) => {
      if (!deadly.has(point)) return Promise.resolve();
      diesIn -= 1;
      if (diesIn !== 0) return Promise.resolve();
      diesIn = Infinity;
      return Promise.reject(new Error('the process died'));
    },
  });
  side = { certificate: () => room.psp.addresses.certificate, lines: () => room.record() };
});
afterAll(() => room?.close());

const number = fc.constantFrom(...Object.values(cards), '4000000000000077');
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('type' as const), number, also: fc.option(number) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('bank' as const), yes: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), at: fc.nat(3) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('die' as const), in: fc.integer({ min: 1, max: 12 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(250) }) },
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

async function take(cart: Cart, one: Step): Promise<void> {
  const url = (await cart.latest()).find((order) => order.payment_page_url !== null)?.payment_page_url;
  switch (one.kind) {
    case 'type': {
      if (typeof url !== 'string') return;
      const tabs = one.also === null ? [one.number] : [one.number, one.also];
      await Promise.all(tabs.map((card) => cart.type(url, card)));
      return;
    }
    case 'bank':
      if (typeof url === 'string') await cart.browse(url, { answer: one.yes ? 'approve' : 'refuse' });
      return;
    case 'cancel': {
      const order = (await cart.latest())[one.at];
      if (order === undefined) return;
      const answer = await room.cancel(order.payment_order_id);
      expect([200, 202, 409]).toContain(answer.status);
      return;
    }
    case 'die':
      diesIn = one.in;
      return;
    case 'wait':
      return delay(one.ms);
  }
}

/** Another process that works on the pages at the same time. */
async function alsoWorkOnPages(until: AbortSignal): Promise<void> {
  while (!until.aborted) {
    await workOnPages(room.service.webhooks, () => room.service.wake()).catch(() => {});
    await delay(25);
  }
}

it(
  'whatever happens, each order is charged once at most, the books agree, and no card is left',
  async () => {
    const outcomes = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('10.00', '20.00', '30.00'), { minLength: 1, maxLength: 4 }),
        fc.array(step, { minLength: 3, maxLength: 9 }),
        fc.subarray([...callFaults].filter((fault) => fault !== 'delay-after')),
        async (amounts, steps, faults) => {
          const calls = Object.fromEntries(faults.map((fault) => [fault, 0.06]));
          const plan: Partial<FaultPlan> = { calls, webhooks: { lost: 0.3, doubled: 0.2 } };
          const over = new AbortController();
          const other = alsoWorkOnPages(over.signal);
          await room.faults(plan);
          const cart = await Cart.submit(room, side, amounts);
          for (const one of steps) await take(cart, one);
          await room.faults({});
          diesIn = Infinity;
          await room.control('POST', '/clock', { advance_ms: 16 * 60_000 });
          clockMs += 16 * 60_000;
          // What the bank still processes has an end.
          await eventually(async () => {
            const open = (await cart.latest()).filter(({ is_final: isFinal }) => !isFinal);
            for (const { pending, payment_order_id: nonce } of open)
              if (pending === 'processing')
                await room.control('POST', '/payments', { nonce, status: 'captured' });
            expect(open).toEqual([]);
          });
          for (const order of await cart.endsWell()) {
            const what = order.failure_code ?? order.payment_order_status;
            outcomes.set(what, (outcomes.get(what) ?? 0) + 1);
          }
          over.abort();
          await other;
        },
      ),
      { numRuns: carts, seed: 22, endOnFailure: true },
    );
    expect(outcomes.get('SUCCESS')).toBeGreaterThan(0);
    expect(outcomes.get('expired')).toBeGreaterThan(0);
  },
  Math.max(300_000, carts * 20_000),
);
