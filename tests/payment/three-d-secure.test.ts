import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withdrawOrder } from '#payment/orders/withdraw-order.js';
import type { PaymentOrder } from '#schemas/http/payments.js';
import { proves } from '../../tools/acceptance/proves.js';
import { browsePage } from '../browse-page.js';
import { eventually } from '../eventually.js';
import { runs } from '../property-runs.js';
import { OrdersRoom } from './orders-fixture.js';

const challengeCard = '4000000000003220';
const frictionlessCard = '4000000000003055';

let room: OrdersRoom;
beforeAll(async () => {
  room = await OrdersRoom.open({ style: 'hosted' });
});
afterAll(() => room?.close());

/** Submits a form as the buyer's browser does; undefined when the page has nothing to answer any more. */
async function submit(url: string, form: Record<string, string>): Promise<string | undefined> {
  const { location } = await browsePage(url, room.psp.addresses.certificate, form);
  return location === '' ? undefined : location;
}

/** The address of the bank's page. */
async function toBank(order: PaymentOrder): Promise<string> {
  const page = order.payment_page_url!;
  return new URL((await submit(page, { number: challengeCard }))!, page).href;
}

const get = (id: string): Promise<PaymentOrder> => room.get(id, 'staff.sam');
const ended = (id: string): Promise<PaymentOrder> =>
  eventually(async () => {
    const order = await get(id);
    if (!order.is_final) throw new Error(`still ${JSON.stringify(order)}`);
    return order;
  });

it('waits while the bank asks the buyer, and is paid when the buyer returns', async () => {
  const order = await room.pay();
  const { payment_order_id: id } = order;
  const bank = await toBank(order);
  const waiting = await room.until(
    id,
    ({ pending, payment_page_url: page }) => pending === 'challenge' && page === bank,
  );
  expect(waiting).toMatchObject({ payment_order_status: 'EXECUTING', is_final: false });
  expect(await room.charges(id)).toBe(0);
  const back = new URL((await submit(bank, { answer: 'approve' }))!);
  const token = back.searchParams.get('tokenID');
  expect(token).toBe(order.token);
  const returned = await fetch(`${room.url}/v1/payment-return?tokenID=${token}&payResult=success`);
  expect(await returned.json()).toMatchObject({ payment_order_id: id });
  await room.settled(id);
  expect(await room.charges(id)).toBe(1);
});

it('an abandoned challenge ends with the time of the order, and never charges', async () => {
  const order = await room.pay();
  const { payment_order_id: id } = order;
  const bank = await toBank(order);
  await room.until(id, ({ pending }) => pending === 'challenge');
  // As the hotel does when the hold ends.
  await withdrawOrder(room.sql, id, Date.now());
  expect(await ended(id)).toMatchObject({ payment_order_status: 'FAILED', failure_code: 'expired' });
  await submit(bank, { answer: 'approve' });
  expect(await room.charges(id)).toBe(0);
  expect(await room.payment(id)).toMatchObject({ status: 'voided' });
});

it('a refused challenge names its reason', async () => {
  const order = await room.pay();
  await submit(await toBank(order), { answer: 'refuse' });
  expect(await ended(order.payment_order_id)).toMatchObject({ failure_code: 'authentication_failed' });
});

const paths = [
  'approve',
  'refuse',
  'abandon',
  'abandon, then approve',
  'frictionless',
  'approve twice',
] as const;

async function walk(path: (typeof paths)[number], buyer: string): Promise<string> {
  const order = await room.pay({}, undefined, buyer);
  const { payment_order_id: id, payment_page_url: page } = order;
  if (path === 'frictionless') {
    await submit(page!, { number: frictionlessCard });
    return id;
  }
  const bank = await toBank(order);
  expect(await get(id)).toMatchObject({ is_final: false });
  if (path.startsWith('abandon')) {
    const approved = path.endsWith('approve') ? submit(bank, { answer: 'approve' }) : undefined;
    await withdrawOrder(room.sql, id, Date.now());
    await approved;
    return id;
  }
  await submit(bank, { answer: path === 'refuse' ? 'refuse' : 'approve' });
  if (path === 'approve twice') await submit(bank, { answer: 'approve' });
  return id;
}

proves('P-054', {
  asked: 'extra verification of the cardholder: pending, then one end',
  shown: 'challenges that are approved, refused, abandoned or raced, with lost and doubled webhooks',
  settings: ['askAfterMs 50 to 300 for 1 s to 15 s'],
  control: {
    in: 'payment/executor/resolve-order.ts',
    change: "order.pending === 'buyer' || order.pending === 'challenge'",
    to: "order.pending === 'buyer'",
  },
});
it('P-054: whatever the buyer does at the bank, a success is one charge and a failure none', async () => {
  let buyers = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...paths), { minLength: 6, maxLength: 12 }),
      fc.record({
        lost: fc.constantFrom(0, 0.5),
        doubled: fc.constantFrom(0, 0.5),
        late: fc.constantFrom(0, 0.2),
      }),
      async (story, webhooks) => {
        await room.faults({ webhooks, delayMs: 500 });
        const ids = await Promise.all(
          story.map((path) => {
            buyers += 1;
            return walk(path, `customer.guest-${buyers}`);
          }),
        );
        for (const [at, id] of ids.entries()) {
          const { payment_order_status: status, captured_amount: captured } = await ended(id);
          const charges = await room.charges(id);
          expect([story[at], status === 'SUCCESS' || captured !== '0.00']).toEqual([
            story[at],
            charges === 1,
          ]);
          if (story[at] === 'refuse' || story[at] === 'abandon') expect(charges).toBe(0);
          if (story[at] === 'approve' || story[at] === 'frictionless') expect(status).toBe('SUCCESS');
        }
        await room.faults({});
      },
    ),
    { numRuns: runs(5), seed: 4, endOnFailure: true },
  );
});
