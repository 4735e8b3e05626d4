import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cartFaultPoints, type FaultPoint } from '#payment/faults/fault-points.js';
import { eraseBuyer } from '#payment/orders/erase-buyer.js';
import { withdrawOrder } from '#payment/orders/withdraw-order.js';
import type { RiskCheck } from '#payment/risk/risk-check.js';
import { cardPageDefaults } from '#payment/settings/card-settings.js';
import type { CallFault } from '#payment-simulator/faults.js';
import type { PaymentEvent, PaymentOrder } from '#schemas/http/payments.js';
import { eventually } from '../eventually.js';
import { Cart, cards, type ProviderSide, providersCards } from './cart-fixture.js';
import { OrdersRoom } from './orders-fixture.js';

let room: OrdersRoom;
let side: ProviderSide;
let clockMs = 0;
let dieAt: FaultPoint | undefined;
let decision: 'allow' | 'review' | 'block' = 'allow';
const risk: RiskCheck = { name: 'test', assess: () => Promise.resolve({ decision, reason: 'test' }) };
const nowMs = () => Date.now() + clockMs;

beforeAll(async () => {
  room = await OrdersRoom.open({
    risk,
    nowMs,
    pspTimeoutMs: 400,
    settings: { leaseMs: 300 },
    reach: (point) => {
      if (point !== dieAt) return Promise.resolve();
      dieAt = undefined;
      return Promise.reject(new Error('the process died'));
    },
  });
  side = { certificate: () => room.psp.addresses.certificate, lines: () => room.record() };
});
afterAll(() => room?.close());
beforeEach(() => {
  decision = 'allow';
  dieAt = undefined;
});

const submit = (amounts?: readonly string[], extra?: Record<string, unknown>) =>
  Cart.submit(room, side, amounts, extra);
const sleep = async (ms: number) => {
  await room.control('POST', '/clock', { advance_ms: ms });
  clockMs += ms;
};
const statuses = (orders: readonly PaymentOrder[]) => orders.map((one) => one.payment_order_status);
const back = (location: string) => fetch(`${room.url}/v1/payment-return${new URL(location).search}`);

describe('a cart of three sellers on one page', () => {
  it('takes the card once, asks the bank once, and charges each order for its seller', async () => {
    const cart = await submit();
    expect(cart.status).toBe(201);
    const orders = await cart.latest();
    expect(new Set(orders.map((one) => one.payment_page_url)).size).toBe(1);
    expect(orders.map((one) => [one.payment_order_status, one.pending])).toEqual(
      Array(3).fill(['NOT_STARTED', 'buyer']),
    );
    const url = cart.firstPage!;
    expect((await cart.browse(url)).text).toContain('60.00 EUR in 3 payments');
    await cart.type(url, cards.challenge);
    const { location } = await cart.browse(url, { answer: 'approve' });
    expect((await back(location)).status).toBe(200);
    expect(statuses(await cart.endsWell())).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS']);
    const lines = await side.lines();
    const asked = lines.filter((line) => line.kind === 'cardPage' && line.cardPage.status === 'challenge');
    expect(asked.length).toBe(1);
    expect(lines.filter((line) => line.kind === 'payment' && line.payment.status === 'challenge')).toEqual(
      [],
    );
    const { rows } = await room.sql.query(
      `SELECT count(DISTINCT seller_account) AS sellers, count(DISTINCT psp_reference) AS payments
       FROM payment_orders WHERE checkout_id = $1`,
      [cart.checkoutId],
    );
    expect(rows).toEqual([{ sellers: 3n, payments: 3n }]);
  });

  it('refunds and disputes one order for itself', async () => {
    const cart = await submit();
    await cart.type(cart.firstPage!);
    await cart.endsWell();
    const [first, second, third] = cart.ids as [string, string, string];
    await room.refund(first, { refund_id: randomUUID(), amount: '4.00' });
    await room.until(first, (order) => order.refunded_amount === '4.00');
    await room.control('POST', '/disputes', { nonce: second });
    await room.until(second, (order) => order.disputes.length === 1);
    expect((await room.get(third)).refunded_amount).toBe('0.00');
    await cart.endsWell();
  });

  it('answers the same key with the same page, and registers it once', async () => {
    const key = randomUUID();
    const body = room.body([{}, {}], { one_page: true });
    const first = (await (await room.post(body, { key })).json()) as PaymentEvent;
    const again = (await (await room.post(body, { key })).json()) as PaymentEvent;
    const urls = [...first.payment_orders, ...again.payment_orders].map((one) => one.payment_page_url);
    expect(new Set(urls).size).toBe(1);
  });

  it('refuses another card beside the page, and several currencies, in one sentence each', async () => {
    const card = await room.post(
      room.body([{}, {}], { one_page: true, credit_card_info: { token: 'tok_captured' } }),
    );
    expect([card.status, await card.json()]).toMatchObject([
      400,
      { errors: [{ pointer: '/credit_card_info/token' }] },
    ]);
    const mixed = await room.post(room.body([{}, { currency: 'JPY', amount: '500' }], { one_page: true }));
    expect([mixed.status, await mixed.json()]).toMatchObject([
      400,
      { errors: [{ pointer: '/payment_orders/1/currency' }] },
    ]);
  });

  it('authorizes now and captures later, after the card is gone', async () => {
    const ada = 'customer+service.ada';
    const cart = await submit(['10.00', '20.00'], {
      capture_method: 'manual',
      buyer_info: { account: 'ada' },
      token: ada,
    });
    await cart.type(cart.firstPage!);
    await cart.until((orders) => orders.every((one) => one.pending === 'capture'));
    await eventually(async () => {
      const left = (await providersCards(side)).filter(({ deletedMs }) => deletedMs === undefined);
      expect(left).toEqual([]);
    });
    for (const [at, id] of cart.ids.entries()) {
      const [path, body] = at === 0 ? ['capture', { amount: '7.00' }] : ['void', undefined];
      const answer = await fetch(`${room.url}/v1/payments/${id}/${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${ada}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      expect(answer.status).toBeLessThan(300);
    }
    expect((await cart.endsWell()).map((one) => one.captured_amount)).toEqual(['7.00', '0.00']);
  });
});

describe('one of three is declined', () => {
  it('says so, keeps what is paid, and takes another card for the rest', async () => {
    const cart = await submit();
    await cart.type(cart.firstPage!, cards.littleFunds);
    const after = await cart.until(
      (orders) =>
        orders.filter((one) => one.wallet_updated).length === 2 && orders[2]!.payment_page_url !== null,
    );
    const declined = await room.get(cart.ids[2]!);
    expect(declined).toMatchObject({
      payment_order_status: 'FAILED',
      failure_code: 'insufficient_funds',
      retried_by: after[2]!.payment_order_id,
    });
    expect(after[2]).toMatchObject({
      retry_of: declined.payment_order_id,
      amount: '30.00',
      pending: 'buyer',
    });
    expect(after[2]!.payment_page_url).not.toBe(cart.firstPage);
    expect(await cart.isDone()).toBe(false);
    expect((await cart.browse(after[2]!.payment_page_url!)).text).toContain('Pay 30.00 EUR<');
    await cart.type(after[2]!.payment_page_url!);
    expect(statuses(await cart.endsWell())).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS']);
  });

  it('an order that ended for another reason takes no other card', async () => {
    const cart = await submit(['10.00']);
    await cart.type(cart.firstPage!, cards.laterChallenge);
    const [asked] = await cart.until((orders) => orders[0]!.pending === 'challenge');
    await room.control('POST', '/payments', { nonce: asked!.payment_order_id, status: 'voided' });
    const [order] = await cart.endsWell();
    expect(order).toMatchObject({ payment_order_id: cart.ids[0], failure_code: 'voided' });
  });

  it('takes five cards at most', async () => {
    const cart = await submit(['10.00', '20.00']);
    for (let page = 1; page <= cardPageDefaults.pagesMax; page += 1) {
      const url = await cart.page();
      await cart.type(url, cards.laterDeclined);
      await cart.until((orders) => orders.every((one) => one.payment_page_url !== url));
    }
    const orders = await cart.endsWell();
    expect(statuses(orders)).toEqual(['FAILED', 'FAILED']);
    expect((await cart.chain(cart.ids[0]!)).length).toBe(5);
  });

  it('offers no further card when there is no time for it', async () => {
    const cart = await submit();
    await sleep(15 * 60_000 - cardPageDefaults.leastMs + 2_000);
    await cart.type(cart.firstPage!, cards.littleFunds);
    expect(statuses(await cart.endsWell())).toEqual(['SUCCESS', 'SUCCESS', 'FAILED']);
    expect((await cart.chain(cart.ids[2]!)).length).toBe(1);
  });

  it('lets the bank ask for a single order, and offers another card when nobody answers', async () => {
    const cart = await submit(['10.00', '20.00']);
    await cart.type(cart.firstPage!, cards.laterChallenge);
    const asked = await cart.until((orders) => orders.every((one) => one.pending === 'challenge'));
    await cart.browse(asked[0]!.payment_page_url!, { answer: 'approve' });
    await room.settled(cart.ids[0]!);
    // The card is needed until the other bank has an answer.
    await delay(300);
    expect((await providersCards(side)).at(-1)!.deletedMs).toBeUndefined();
    await cart.browse(asked[1]!.payment_page_url!, { answer: 'refuse' });
    await cart.until((all) => all[1]!.retry_of === cart.ids[1]! && all[1]!.payment_page_url !== null);
    await cart.type(await cart.page());
    expect(statuses(await cart.endsWell())).toEqual(['SUCCESS', 'SUCCESS']);
  });
});

describe('time, other people and other tabs', () => {
  it('abandoned: every order expires, the page takes no card any more', async () => {
    const cart = await submit();
    await sleep(16 * 60_000);
    const orders = await cart.endsWell();
    expect(orders.map((one) => [one.payment_order_status, one.failure_code])).toEqual(
      Array(3).fill(['FAILED', 'expired']),
    );
    await cart.type(cart.firstPage!);
    await cart.endsWell();
  });

  it('the card comes when the time is over: nothing is charged, and the card is deleted', async () => {
    const cart = await submit();
    // The provider's clock stands: its page is open for longer than the orders.
    clockMs += 16 * 60_000;
    await cart.type(cart.firstPage!);
    expect(statuses(await cart.endsWell())).toEqual(['FAILED', 'FAILED', 'FAILED']);
    await room.control('POST', '/clock', { advance_ms: 16 * 60_000 });
  });

  it('closes the page at the provider when its orders are over', async () => {
    const cart = await submit(['10.00']);
    clockMs += 16 * 60_000;
    await cart.endsWell();
    await cart.type(cart.firstPage!);
    await cart.endsWell();
    await room.control('POST', '/clock', { advance_ms: 16 * 60_000 });
  });

  it('two tabs pay at the same moment: one card, one charge of each order', async () => {
    const cart = await submit();
    await Promise.all([
      cart.type(cart.firstPage!, cards.good),
      cart.type(cart.firstPage!, '4000000000003055'),
    ]);
    const before = (await providersCards(side)).length;
    expect(statuses(await cart.endsWell())).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS']);
    expect((await providersCards(side)).length).toBe(before);
  });

  it('one order is cancelled meanwhile: the others are charged', async () => {
    const cart = await submit();
    await withdrawOrder(room.sql, cart.ids[1]!, nowMs());
    await cart.type(cart.firstPage!);
    expect(statuses(await cart.endsWell())).toEqual(['SUCCESS', 'FAILED', 'SUCCESS']);
  });

  it('an order is cancelled at the moment of the card: charged once, or not at all', async () => {
    for (const waitMs of [0, 20, 60]) {
      const cart = await submit(['10.00', '20.00']);
      await cart.type(cart.firstPage!);
      await delay(waitMs);
      await withdrawOrder(room.sql, cart.ids[0]!, nowMs());
      await cart.endsWell();
    }
  });

  it('people decide on each order before the buyer sees a page, and denied ones are left out', async () => {
    decision = 'review';
    const cart = await submit();
    expect(cart.status).toBe(202);
    const review = (id: string, verdict: string) =>
      room.post(
        { decision: verdict, reason: 'test' },
        { token: 'desk.sam', base: room.internalUrl, path: `/v1/payments/${id}/review` },
      );
    await sleep(20 * 60_000);
    expect((await review(cart.ids[0]!, 'approve')).status).toBe(200);
    expect((await review(cart.ids[1]!, 'deny')).status).toBe(200);
    // The time of the first order has not begun.
    await sleep(20 * 60_000);
    expect((await room.get(cart.ids[0]!)).payment_page_url).toBeNull();
    expect((await review(cart.ids[2]!, 'approve')).status).toBe(200);
    const url = await cart.page();
    expect((await cart.browse(url)).text).toContain('40.00 EUR in 2 payments');
    await cart.type(url);
    expect(statuses(await cart.endsWell())).toEqual(['SUCCESS', 'FAILED', 'SUCCESS']);
  });

  it('a blocked cart never has a page', async () => {
    decision = 'block';
    const cart = await submit();
    const orders = await cart.endsWell();
    expect(orders.map((one) => one.failure_code)).toEqual(Array(3).fill('risk_blocked'));
  });

  it('an erased buyer leaves no card: what is not charged ends', async () => {
    const cart = await submit();
    const deletion = { who: 'test', now: new Date(nowMs()) };
    await eraseBuyer(room.sql, { caller: 'ada', buyerAccount: 'ada' }, deletion);
    await cart.type(cart.firstPage!);
    expect(statuses(await cart.endsWell())).toEqual(['FAILED', 'FAILED', 'FAILED']);
  });
});

describe('faults', () => {
  it.each<readonly [string, CallFault]>(
    ['card-pages', 'query', 'charges', 'cards'].flatMap((operation) =>
      (['drop-before', 'drop-after', 'error-after', 'garbage-after', 'busy'] as const).map(
        (fault) => [operation, fault] as const,
      ),
    ),
  )('a call of %s ends with %s: each order is charged once', async (operation, fault) => {
    await room.faults({ next: [{ operation, fault }] });
    const cart = await submit(['10.00', '20.00']);
    const url = await cart.page();
    await cart.type(url);
    expect(statuses(await cart.endsWell())).toEqual(['SUCCESS', 'SUCCESS']);
    await room.faults({});
  });

  it.each<FaultPoint>(['before-psp-call', 'after-psp-call', 'after-answer-stored', ...cartFaultPoints.paid])(
    'the process dies at %s: each order is charged once',
    async (point) => {
      dieAt = point;
      const cart = await submit(['10.00', '20.00']);
      await cart.type(await cart.page());
      expect(statuses(await cart.endsWell())).toEqual(['SUCCESS', 'SUCCESS']);
      expect(dieAt).toBeUndefined();
    },
  );

  it('an order is cancelled after a lost answer: another page has the smaller total', async () => {
    const pages = async () =>
      (await room.record()).filter((line) => line.kind === 'cardPage' && line.cardPage.totalMinor === '3000')
        .length;
    const before = await pages();
    const next = [{ operation: 'card-pages', fault: 'drop-after' as const }];
    await room.faults({ next, calls: { 'error-before': 1 } });
    const body = room.body([{ amount: '10.00' }, { amount: '20.00' }], { one_page: true });
    const posted = room.post(body);
    const orders = body['payment_orders'] as { payment_order_id: string }[];
    const [first, second] = orders.map(({ payment_order_id: id }) => id) as [string, string];
    await eventually(async () => expect(await pages()).toBeGreaterThan(before));
    await withdrawOrder(room.sql, first, nowMs());
    await room.until(first, ({ is_final: isFinal }) => isFinal);
    await room.faults({});
    expect((await posted).status).toBe(201);
    const { payment_page_url: url } = await room.until(second, (order) => order.payment_page_url !== null);
    await room.typeCard({ payment_page_url: url } as PaymentOrder);
    await room.settled(second);
    expect(await room.charges(first)).toBe(0);
  });

  it('the provider is away until the time is over: nothing is charged', async () => {
    await room.faults({ calls: { 'error-before': 1 } });
    const orders = room.post(room.body([{}, {}], { one_page: true }));
    await eventually(async () => {
      expect(await room.count(`SELECT count(*) AS n FROM payment_card_page WHERE state = 'wanted'`)).toBe(1);
    });
    await sleep(16 * 60_000);
    const event = (await (await orders).json()) as PaymentEvent;
    for (const { payment_order_id: id } of event.payment_orders) {
      const order = await room.until(id, ({ is_final }) => is_final);
      expect(order.failure_code).toBe('expired');
      expect(await room.charges(id)).toBe(0);
    }
    await room.faults({});
  });
});

describe('without its card', () => {
  it('an order that is due does not open a page of its own, and ends with its time', async () => {
    const cart = await submit(['10.00']);
    const [id] = cart.ids as [string];
    await room.sql.query(
      `UPDATE payment_orders SET next_attempt_at = $2, version = version + 1 WHERE payment_order_id = $1`,
      [id, new Date(nowMs())],
    );
    await room.until(id, ({ attempts, payment_order_status: status }) => attempts > 0 || status === 'FAILED');
    await sleep(16 * 60_000);
    expect((await cart.endsWell())[0]).toMatchObject({ failure_code: 'expired' });
    expect((await room.record()).some((line) => line.kind === 'payment' && line.payment.nonce === id)).toBe(
      false,
    );
  });
});

describe('the database refuses', () => {
  const charging = async () => {
    const cart = await submit(['10.00']);
    await room.sql.query(
      `UPDATE payment_card_page SET state = 'charging', card_token = 'crd_abcdef', customer = 'cus_abcdef',
         next_attempt_at = $2 WHERE checkout_id = $1`,
      [cart.checkoutId, new Date(nowMs() + 3_600_000)],
    );
    return cart.ids[0]!;
  };
  const card = '{"token":"crd_abcdef","customer":"cus_abcdef"}';
  const set = (id: string, column: string, value: string) =>
    room.sql.query(`UPDATE payment_orders SET ${column} = $2, provider = 'psp' WHERE payment_order_id = $1`, [
      id,
      value,
    ]);

  it('a card of another page, another page, and a number of a card', async () => {
    const [one, other] = [await charging(), (await submit(['10.00'])).ids[0]!];
    await expect(set(other, 'page_card', card)).rejects.toThrow('pays with the card of its page');
    await expect(set(one, 'page_card', card.replace('crd_a', 'crd_b'))).rejects.toThrow('card of its page');
    await expect(set(other, 'page_id', 'page_x')).rejects.toThrow('card of its page');
    await set(one, 'page_card', card);
    await expect(
      room.sql.query(
        `UPDATE payment_card_page SET state = 'charging', card_token = 'crd_4242424242424242',
           customer = 'cus_abcdef' WHERE state = 'open'`,
      ),
    ).rejects.toThrow('card_token');
    await expect(
      room.sql.query(`UPDATE payment_card_page SET state = 'open' WHERE state = 'charging'`),
    ).rejects.toThrow();
  });
});
