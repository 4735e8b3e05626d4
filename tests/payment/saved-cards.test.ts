import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { withReference } from '#payment/cards/card-of-payment.js';
import { findUsableCard } from '#payment/cards/saved-card.js';
import { storeCards } from '#payment/cards/store-cards.js';
import type { FaultPoint } from '#payment/faults/fault-points.js';
import { assignAccount } from '#payment/merchant/merchant-accounts.js';
import { parseCurrency } from '#payment/money/currency.js';
import { storeSubmissions } from '#payment/orders/store-submissions.js';
import type { Judged } from '#payment/orders/submission.js';
import { openProviders } from '#payment/psp/providers.js';
import type { RiskCheck } from '#payment/risk/risk-check.js';
import { savedCardDefaults } from '#payment/settings/card-settings.js';
import type { SimulatedCard } from '#payment-simulator/record.js';
import type { PaymentEvent, PaymentOrder } from '#schemas/http/payments.js';
import type { SavedCardBody } from '#schemas/http/saved-cards.js';
import { proves } from '#tools/acceptance/proves.js';
import { expectNoCardData } from '../card-data-left.js';
import { eventually } from '../eventually.js';
import { fetchOrProblem } from '../http-problems.js';
import { iban, OrdersRoom } from './orders-fixture.js';

let room: OrdersRoom;
let clockMs = 0;
let dieAt: FaultPoint | undefined;
let held = new Set<string>();
const risk: RiskCheck = {
  name: 'test',
  assess: ({ orders }) =>
    Promise.resolve(
      orders.some(({ id }) => held.has(id))
        ? { decision: 'review', reason: 'test' }
        : { decision: 'allow', reason: 'test' },
    ),
};
beforeAll(async () => {
  room = await OrdersRoom.open({
    risk,
    nowMs: () => Date.now() + clockMs,
    providers: (own) => openProviders([own, { ...own, name: 'other' }]),
    reach: (point) => {
      if (point !== dieAt) return Promise.resolve();
      dieAt = undefined;
      return Promise.reject(new Error('the process died'));
    },
  });
});
afterAll(() => room?.close());
beforeEach(() => {
  held = new Set();
});

const shop = 'service.shop';
const buyerOf = () => `buyer-${randomUUID()}`;
type Answer = SavedCardBody & { readonly code?: string; readonly cards: readonly SavedCardBody[] };

async function ask(method: string, path: string, token: string, body?: object) {
  const response = await fetchOrProblem(room.url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) as Answer };
}
const listOf = async (buyer: string, token = shop) =>
  (await ask('GET', `/v1/saved-cards?buyer_account=${buyer}`, token)).body.cards;
const remove = (id: string, token = shop) => ask('DELETE', `/v1/saved-cards/${id}`, token);

async function submit(
  buyer: string,
  card: object,
  order: object = {},
  key: string = randomUUID(),
  token = shop,
) {
  const body = room.body([order], { buyer_info: { account: buyer }, credit_card_info: card });
  const response = await room.post(body, { token, key });
  const event = (await response.json()) as PaymentEvent & { code?: string };
  return {
    status: response.status,
    body,
    code: event.code,
    order: event.payment_orders?.[0] as PaymentOrder,
  };
}
const until = (id: string, wanted: (order: PaymentOrder) => boolean) =>
  eventually(async () => {
    const order = await room.get(id, shop);
    if (!wanted(order)) throw new Error(`still ${JSON.stringify(order)}`);
    return order;
  });
const ended = (id: string) => until(id, ({ is_final }) => is_final);

/** A buyer who pays on the page and agrees there that the card is kept. */
async function saved(buyer = buyerOf(), number = '4242424242424242'): Promise<SavedCardBody> {
  const { order } = await submit(buyer, { save: true });
  await room.typeCard(order, number, { keep: 'on' });
  await ended(order.payment_order_id);
  return eventually(async () => {
    const found = (await listOf(buyer)).find((card) => card.payment_order_id === order.payment_order_id);
    if (found === undefined) throw new Error('not listed yet');
    return found;
  });
}
const payWith = (card: SavedCardBody, order: object = {}, key?: string) =>
  submit(card.buyer_account, { saved_card_id: card.card_id }, order, key);
const providersCards = async (): Promise<readonly SimulatedCard[]> => {
  const last = new Map<string, SimulatedCard>();
  for (const line of await room.record()) if (line.kind === 'card') last.set(line.card.token, line.card);
  return [...last.values()];
};
const providersCard = async (paymentOrderId: string) =>
  (await providersCards()).find(({ paymentNonce }) => paymentNonce === paymentOrderId);
describe('a saved card', () => {
  it('is kept with the consent of the buyer, and pays once for each key, without a page', async () => {
    const card = await saved();
    expect(card).toMatchObject({
      card_status: 'kept',
      seller_account: iban,
      brand: 'visa',
      last4: '4242',
      expiry_month: '2030-12',
      deleted_at: null,
    });
    const key = randomUUID();
    const { order, body, status } = await payWith(card, {}, key);
    expect([status, order.payment_order_status, order.payment_page_url]).toEqual([201, 'SUCCESS', null]);
    const again = await room.post(body, { token: shop, key });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(await room.charges(order.payment_order_id)).toBe(1);
    await until(order.payment_order_id, ({ ledger_updated }) => ledger_updated);
    expect(await room.ledgerTransfers(order.payment_order_id)).toBe(1);
  });

  proves('P-023', {
    asked: 'only provider tokens, brand and last4 survive',
    shown: 'of a typed card that is kept: tokens, brand, last four digits and expiry; the number in no table',
    missing: 'the fingerprint by which the risk rules count cards is kept too, and the expiry',
    control: {
      in: 'payment/psp/own-card.ts',
      change: 'return pspCardOf({ token, customer, brand, last4, expiryMonth });',
      to: `const number = brand && 'visa 4242424242424242';
  return pspCardOf({ token, customer, brand: number, last4, expiryMonth });`,
    },
  });
  it('P-023: is known to us by the names of the provider alone, and to callers by ours', async () => {
    const card = await saved();
    const paid = (await payWith(card)).order;
    const { token, customer } = (await providersCard(card.payment_order_id))!;
    const { rows } = await room.sql.query(
      `SELECT s::text AS row FROM saved_card s WHERE card_id = $1 UNION ALL
       SELECT e::text FROM payment_events e JOIN saved_card_payment p USING (checkout_id) WHERE p.card_id = $1`,
      [card.card_id],
    );
    const { rows: kept } = await room.sql.query<{ of_card: object; info: string }>(
      `SELECT jsonb_strip_nulls(to_jsonb(c) - ARRAY['card_no', 'card_id', 'payment_order_id', 'caller', 'buyer_account',
           'seller_account', 'state', 'provider', 'attempts', 'wanted_at', 'kept_at']) AS of_card,
         e.credit_card_info AS info
       FROM saved_card c, payment_orders o JOIN payment_events e USING (checkout_id)
       WHERE c.card_id = $1 AND o.payment_order_id = $2`,
      [card.card_id, paid.payment_order_id],
    );
    const ofCard = { token, customer, brand: 'visa', last4: '4242', expiry_month: '2030-12' };
    expect(kept.map(({ of_card }) => of_card)).toEqual([ofCard]);
    await expectNoCardData(room.sql);
    const stored = rows.map((row) => String(row['row'])).join('\n');
    expect(stored).toContain(token);
    expect(stored).not.toContain('4242424242');
    const shown = await ask('GET', `/v1/saved-cards/${card.card_id}`, shop);
    for (const name of [token, customer])
      expect([shown.text.includes(name), room.logLines.join('').includes(name)]).toEqual([false, false]);
  });

  it('is not kept if the buyer does not agree on the page, or if the payment fails', async () => {
    const buyer = buyerOf();
    const unticked = (await submit(buyer, { save: true })).order;
    await room.typeCard(unticked);
    await ended(unticked.payment_order_id);
    const declined = (await submit(buyer, { save: true })).order;
    await room.typeCard(declined, '4000000000000002', { keep: 'on' });
    await ended(declined.payment_order_id);
    await eventually(async () => {
      const { rows } = await room.sql.query('SELECT state FROM saved_card WHERE payment_order_id = $1', [
        unticked.payment_order_id,
      ]);
      expect(rows).toEqual([{ state: 'not_kept' }]);
    });
    expect(await listOf(buyer)).toEqual([]);
    expect(await providersCard(declined.payment_order_id)).toBeUndefined();
  });

  it('may need a confirmation at the bank; without the buyer it is declined in plain words', async () => {
    const buyer = buyerOf();
    const { order: first } = await submit(buyer, { save: true });
    const { location } = await room.typeCard(first, '4000000000003220', { keep: 'on' });
    await room.confirmAtBank(new URL(location, first.payment_page_url!).href);
    await ended(first.payment_order_id);
    const card = await eventually(async () => {
      const [found] = await listOf(buyer);
      if (found === undefined) throw new Error('not listed yet');
      return found;
    });
    const { order, status } = await payWith(card);
    expect([status, order.pending]).toEqual([201, 'challenge']);
    expect(await room.charges(order.payment_order_id)).toBe(0);
    await room.confirmAtBank(order.payment_page_url!);
    expect((await ended(order.payment_order_id)).payment_order_status).toBe('SUCCESS');
    expect(await room.charges(order.payment_order_id)).toBe(1);
    const away = await submit(buyer, { saved_card_id: card.card_id, off_session: true });
    expect(away.order).toMatchObject({
      payment_order_status: 'FAILED',
      failure_code: 'authentication_required',
      failure_message: 'Your bank wants you to confirm the payment. Pay again while you are here.',
    });
  });

  it('that the bank declines says so in plain words, and pays nothing', async () => {
    const { order } = await payWith(await saved(buyerOf(), '4000000000000341'));
    expect(order).toMatchObject({
      payment_order_status: 'FAILED',
      failure_code: 'card_declined',
      failure_message: 'Your card was declined.',
    });
    expect(await room.charges(order.payment_order_id)).toBe(0);
  });

  it.each(['drop-before', 'drop-after', 'error-before', 'error-after', 'garbage-after', 'busy'])(
    'charges once when the provider answers with %s',
    async (fault) => {
      const card = await saved();
      await room.faults({ next: [{ operation: 'charges', fault: fault as never }] });
      const { order } = await payWith(card);
      expect((await ended(order.payment_order_id)).payment_order_status).toBe('SUCCESS');
      expect(await room.charges(order.payment_order_id)).toBe(1);
    },
  );

  it('is charged at the provider that keeps it, whatever the routes say', async () => {
    const card = await saved();
    await room.sql.query(`UPDATE saved_card SET provider = 'other' WHERE card_id = $1`, [card.card_id]);
    const { order } = await payWith(card);
    const { rows } = await room.sql.query('SELECT provider FROM payment_orders WHERE payment_order_id = $1', [
      order.payment_order_id,
    ]);
    expect(rows).toEqual([{ provider: 'other' }]);
  });

  it.each([
    [{ save: true, saved_card_id: 'card_abc' }, '/credit_card_info/save'],
    [{ token: 'tok_x', saved_card_id: 'card_abc' }, '/credit_card_info/token'],
    [{ off_session: true }, '/credit_card_info/off_session'],
    [{ reference: { token: 'crd_x', customer: 'cus_x' } }, '/credit_card_info'],
  ])('refuses %j', async (card, pointer) => {
    const body = room.body([{}], { buyer_info: { account: 'b' }, credit_card_info: card });
    const response = await room.post(body, { token: shop });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(pointer);
  });

  it('is saved with one seller, by a payment of one order', async () => {
    const body = room.body([{}, { seller_account: 'FR7630006000011234567890189' }], {
      buyer_info: { account: 'b' },
      credit_card_info: { save: true },
    });
    const response = await room.post(body, { token: shop });
    expect([response.status, (await response.text()).includes('/credit_card_info/save')]).toEqual([
      400,
      true,
    ]);
  });

  it('is one of a limited number', async () => {
    const card = await saved();
    const others: string[] = [];
    while (others.length < savedCardDefaults.keptMax - 1)
      others.push((await submit('x', {})).order.payment_order_id);
    for (const [at, id] of others.entries())
      await room.sql.query(
        `INSERT INTO saved_card (card_id, payment_order_id, caller, buyer_account, seller_account, state, provider,
           token, customer, brand, last4, expiry_month, wanted_at, kept_at)
         SELECT $2, $3, caller, buyer_account, seller_account, state, provider, $4, customer, brand, last4,
           expiry_month, wanted_at, kept_at FROM saved_card WHERE card_id = $1`,
        [card.card_id, `card_of_${at}_x`, id, `crd_other_${at}`],
      );
    expect((await submit(card.buyer_account, { save: true })).code).toBe('too-many-saved-cards');
    expect(
      (await ask('GET', `/v1/saved-cards?buyer_account=${card.buyer_account}&limit=7`, shop)).body.cards,
    ).toHaveLength(7);
    expect(await listOf(card.buyer_account)).toHaveLength(savedCardDefaults.keptMax);
  });
});

describe('who may see and use a saved card', () => {
  it('only its buyer, through the service where it was saved, and only for its seller', async () => {
    const card = await saved();
    const { card_id: id, buyer_account: buyer } = card;
    for (const [token, account] of [
      ['service.other', buyer],
      [shop, buyerOf()],
    ] as const) {
      const answer = await submit(account, { saved_card_id: id }, {}, randomUUID(), token);
      expect([answer.status, answer.code]).toEqual([422, 'saved-card-unusable']);
      expect(await listOf(account, token)).toEqual([]);
    }
    const stranger = await payWith(card, { seller_account: 'FR7630006000011234567890189' });
    expect([stranger.status, stranger.code]).toEqual([422, 'saved-card-unusable']);
    for (const token of ['service.other', `customer.${buyer}`, 'customer.shop', 'merchant.nobody']) {
      expect((await ask('GET', `/v1/saved-cards/${id}`, token)).status).toBe(404);
      expect((await remove(id, token)).status).toBe(404);
    }
    expect((await ask('GET', '/v1/saved-cards', shop)).status).toBe(400);
    expect((await ask('GET', `/v1/saved-cards?buyer_account=${buyer}`, 'customer.eve')).status).toBe(400);
    expect((await ask('GET', `/v1/saved-cards/${id}`, 'finance.sam')).status).toBe(403);
    expect((await listOf(buyer)).map(({ card_id }) => card_id)).toEqual([id]);
    const use = { caller: 'shop', buyerAccount: buyer, sellerAccounts: [iban] };
    expect((await findUsableCard(room.sql, id, use))?.id).toBe(id);
    for (const other of [{ caller: 'x' }, { buyerAccount: 'x' }, { sellerAccounts: [iban, 'x'] }])
      expect(await findUsableCard(room.sql, id, { ...use, ...other })).toBeUndefined();
  });

  it('a customer without a service: the own cards', async () => {
    const name = `c${randomUUID().slice(0, 8)}`;
    const order = (await submit(name, { save: true }, {}, randomUUID(), `customer.${name}`)).order;
    await room.typeCard(order, undefined, { keep: 'on' });
    const card = await eventually(async () => {
      const [found] = (await ask('GET', '/v1/saved-cards', `customer.${name}`)).body.cards;
      if (found === undefined) throw new Error('not listed yet');
      return found;
    });
    expect((await ask('GET', '/v1/saved-cards', 'customer.eve')).body.cards).toEqual([]);
    const theirs = await submit('eve', { saved_card_id: card.card_id }, {}, randomUUID(), 'customer.eve');
    expect(theirs.code).toBe('saved-card-unusable');
    const own = await submit(name, { saved_card_id: card.card_id }, {}, randomUUID(), `customer.${name}`);
    expect(own.order.payment_order_status).toBe('SUCCESS');
  });

  it('the merchant of the seller account sees and deletes it, another one does not', async () => {
    const seller = 'NL91ABNA0417164300';
    const buyer = buyerOf();
    const { order } = await submit(buyer, { save: true }, { seller_account: seller });
    await room.typeCard(order, undefined, { keep: 'on' });
    await eventually(async () => expect(await listOf(buyer)).toHaveLength(1));
    const assign = (merchantId: string, sellerAccount: string) =>
      assignAccount(room.sql, { merchantId, sellerAccount, who: 'f', why: 'test', now: new Date(), most: 1 });
    await assign('acme', seller);
    await assign('evil', iban);
    const list = (token: string, more = '') => ask('GET', `/v1/saved-cards?limit=200${more}`, token);
    const [card] = (await list('merchant.acme')).body.cards;
    expect(card?.buyer_account).toBe(buyer);
    expect((await list('merchant.evil')).text).not.toContain(card!.card_id);
    expect((await list('merchant.evil', `&seller_account=${seller}`)).status).toBe(404);
    expect((await remove(card!.card_id, 'merchant.evil')).status).toBe(404);
    expect((await remove(card!.card_id, 'merchant.acme')).status).toBe(202);
  });

  it('is also guarded by the database', async () => {
    const card = await saved();
    const insert = async (order: PaymentOrder) =>
      room.sql.query('INSERT INTO saved_card_payment (checkout_id, card_id) VALUES ($1, $2)', [
        order.checkout_id,
        card.card_id,
      ]);
    const others = [
      (await submit(buyerOf(), {})).order,
      (await submit(card.buyer_account, {}, { seller_account: 'FR7630006000011234567890189' })).order,
      (await submit(card.buyer_account, {}, {}, randomUUID(), 'service.other')).order,
    ];
    for (const order of others) await expect(insert(order)).rejects.toThrow('cannot pay');
    await insert((await submit(card.buyer_account, {})).order);
    for (const token of ['4242424242424242', 'tok_4242424242424242', 'tok_4242-4242-4242-4242', 'a b c d'])
      for (const column of ['token', 'customer'])
        await expect(
          room.sql.query(`UPDATE saved_card SET ${column} = $2 WHERE card_id = $1`, [card.card_id, token]),
        ).rejects.toThrow('saved_card_');
  });
});

describe('the deletion of a saved card', () => {
  const gone = (id: string) =>
    eventually(async () => {
      const { body } = await ask('GET', `/v1/saved-cards/${id}`, shop);
      expect(body).toMatchObject({ card_status: 'deleted', brand: null, last4: null, expiry_month: null });
    });

  it('is repeated until the provider confirms it; nobody pays with the card meanwhile', async () => {
    const card = await saved();
    await payWith(card);
    await room.faults({
      next: ['error-before', 'drop-before', 'busy', 'drop-after'].map((fault) => ({
        operation: 'cards',
        fault: fault as never,
      })),
    });
    const first = await remove(card.card_id);
    expect([first.status, first.body.card_status]).toEqual([202, 'deleting']);
    expect((await payWith(card)).code).toBe('saved-card-unusable');
    expect(await listOf(card.buyer_account)).toEqual([]);
    await gone(card.card_id);
    expect((await remove(card.card_id)).status).toBe(200);
    expect((await providersCard(card.payment_order_id))?.deletedMs).toBeTypeOf('number');
    const { rows } = await room.sql.query(
      `SELECT c.token, c.customer, e.credit_card_info::jsonb AS info FROM saved_card c JOIN saved_card_payment p USING (card_id)
       JOIN payment_events e USING (checkout_id) WHERE card_id = $1`,
      [card.card_id],
    );
    expect(rows).toEqual([{ token: null, customer: null, info: { saved_card_id: card.card_id } }]);
    await expect(
      room.sql.query(`UPDATE saved_card SET state = 'kept' WHERE card_id = $1`, [card.card_id]),
    ).rejects.toThrow('cannot go from deleted to kept');
  });

  it('goes on in another process when one dies after the call', async () => {
    const card = await saved();
    dieAt = 'after-psp-call';
    await remove(card.card_id);
    await eventually(() => {
      expect(dieAt).toBeUndefined();
      return Promise.resolve();
    });
    expect((await ask('GET', `/v1/saved-cards/${card.card_id}`, shop)).body.card_status).toBe('deleting');
    clockMs += savedCardDefaults.leaseMs;
    await gone(card.card_id);
  });

  it('ends a payment that waits for people, and a challenge that waits for the buyer', async () => {
    const card = await saved(buyerOf());
    const id = randomUUID();
    held.add(id);
    const waiting = await payWith(card, { payment_order_id: id });
    expect([waiting.status, waiting.order.pending]).toEqual([202, 'review']);
    await remove(card.card_id);
    expect(await ended(id)).toMatchObject({
      payment_order_status: 'FAILED',
      failure_message: 'The saved card cannot be used for this payment.',
    });
    expect(await room.charges(id)).toBe(0);
  });

  it('waits for a payment that is being stored, and ends it', async () => {
    const card = await saved();
    const { buyer_account: buyerAccount, card_id: id } = card;
    const use = { caller: 'shop', buyerAccount, sellerAccounts: [iban] };
    const usable = (await findUsableCard(room.sql, id, use))!;
    const orderId = randomUUID();
    let deletion: Promise<unknown> = Promise.resolve();
    let isOver = false;
    await room.sql.transaction(async (tx) => {
      const judged: Judged = {
        submission: {
          caller: 'shop',
          key: randomUUID(),
          fingerprint: Buffer.alloc(32),
          checkoutId: randomUUID(),
          buyerAccount,
          buyerInfo: '{}',
          cardInfo: withReference('{}', usable),
          savedCard: usable,
          orders: [
            {
              id: orderId,
              sellerAccount: iban,
              amount: '1.00',
              money: { minor: 100n, currency: parseCurrency('EUR')! },
            },
          ],
        },
        // People decide, so nothing begins the order meanwhile.
        decision: { decision: 'review', reason: 'test' },
        riskCheck: 'test',
        nowMs: Date.now() + clockMs,
        registrationMs: 900_000,
      };
      await storeSubmissions(tx, [judged]);
      await storeCards(tx, judged);
      deletion = remove(id).finally(() => (isOver = true));
      await delay(300);
      expect(isOver).toBe(false);
    });
    await deletion;
    expect((await ended(orderId)).payment_order_status).toBe('FAILED');
    expect(await room.charges(orderId)).toBe(0);
    await expect(
      room.sql.query('UPDATE saved_card_payment SET card_id = card_id WHERE card_id = $1', [id]),
    ).rejects.toThrow('cannot pay');
  });

  it('at the same time as payments: each is charged once or not at all, and none afterwards', async () => {
    for (let round = 0; round < 5; round += 1) {
      const card = await saved();
      const [answers] = await Promise.all([
        Promise.all([payWith(card), payWith(card), payWith(card)]),
        remove(card.card_id),
      ]);
      for (const { code, order } of answers) {
        if (code !== undefined) expect(code).toBe('saved-card-unusable');
        else {
          const { payment_order_status: status } = await ended(order.payment_order_id);
          expect(await room.charges(order.payment_order_id)).toBe(status === 'SUCCESS' ? 1 : 0);
        }
      }
      expect((await payWith(card)).code).toBe('saved-card-unusable');
      await gone(card.card_id);
    }
  });

  it('is part of the erasure of a buyer, also for a card that is not there yet', async () => {
    const card = await saved();
    const { buyer_account: buyer } = card;
    const other = await saved();
    const { order } = await submit(buyer, { save: true });
    const erased = await ask('POST', '/v1/buyer-erasures', shop, { buyer_account: buyer });
    expect(erased.body).toEqual({ payment_events: 2, cards: 2 });
    await gone(card.card_id);
    await room.typeCard(order, undefined, { keep: 'on' });
    await eventually(async () =>
      expect((await providersCard(order.payment_order_id))?.deletedMs).toBeTypeOf('number'),
    );
    expect(await listOf(buyer)).toEqual([]);
    expect(await listOf(other.buyer_account)).toHaveLength(1);
    expect((await ask('POST', '/v1/buyer-erasures', shop, { buyer_account: buyer })).body).toEqual({
      payment_events: 0,
      cards: 0,
    });
    expect((await ask('POST', '/v1/buyer-erasures', shop, {})).status).toBe(400);
    expect((await ask('POST', '/v1/buyer-erasures', 'customer.a', { buyer_account: 'b' })).status).toBe(400);
  });
});
