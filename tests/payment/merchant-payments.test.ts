import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listPayments, type PaymentFilter } from '#payment/merchant/merchant-payments.js';
import { parseCurrency } from '#payment/money/currency.js';
import { seededRandom } from '#platform/random/random.js';
import type { MerchantPaymentBody } from '#schemas/http/merchants.js';
import { assignAccount, getAsMerchant } from './merchant-fixture.js';
import { OrdersRoom } from './orders-fixture.js';

let room: OrdersRoom;
beforeAll(async () => {
  room = await OrdersRoom.open({ groups: [] });
});
afterAll(() => room?.close());

const get = (path: string, token: string) => getAsMerchant(room, path, token);

describe('the list of payments', () => {
  const seller = 'LIST';
  const rows = 20_000;
  const random = seededRandom(5);
  beforeAll(async () => {
    await assignAccount(room, { merchant_id: 'lis', seller_account: seller, reason: 'contract' });
    // Orders of a shop with many payments, with equal times; the trigger lists them.
    await room.sql.query(
      `INSERT INTO payment_events (checkout_id, caller, created_at)
       SELECT 'lc-' || n, 'shop', now() FROM generate_series(1, ${rows}) n`,
    );
    await room.sql.query(
      `INSERT INTO payment_orders (payment_order_id, checkout_id, position, buyer_account, seller_account, amount,
         amount_minor, currency, payment_order_status, is_final, expires_at, created_at, changed_at)
       SELECT 'l-' || n, 'lc-' || n, 0, 'buyer-' || n % 500, CASE WHEN n % 20 = 0 THEN 'OTHER' ELSE $1 END, 'x', n,
         CASE WHEN n % 3 = 0 THEN 'JPY' ELSE 'EUR' END, 'FAILED', n % 1000 = 1, t, t, t
       FROM generate_series(1, ${rows}) n, LATERAL (SELECT timestamptz '2026-01-01' + n / 7 * interval '1 second' AS t) x`,
      [seller],
    );
    await room.sql.query('ANALYZE payment_orders, merchant_payment');
  });

  /** Stands for no seller: an absent one is the seller above. */
  const ofAll: Partial<PaymentFilter> = { seller: '' };

  interface Model {
    readonly n: number;
    readonly atMs: number;
  }
  const ofAllSellers: readonly Model[] = Array.from({ length: rows }, (_, index) => index + 1).map((n) => ({
    n,
    atMs: Date.UTC(2026, 0, 1) + Math.floor(n / 7) * 1_000,
  }));
  const all = ofAllSellers.filter(({ n }) => n % 20 !== 0);
  const matches = ({ n, atMs }: Model, filter: PaymentFilter): boolean =>
    (filter.seller === undefined || n % 20 !== 0) &&
    (filter.currency === undefined || filter.currency === (n % 3 === 0 ? 'JPY' : 'EUR')) &&
    (filter.buyerAccount === undefined || filter.buyerAccount === `buyer-${n % 500}`) &&
    (filter.amountFromMinor === undefined || BigInt(n) >= filter.amountFromMinor) &&
    (filter.amountToMinor === undefined || BigInt(n) <= filter.amountToMinor) &&
    (filter.from === undefined || atMs >= filter.from.getTime()) &&
    (filter.to === undefined || atMs < filter.to.getTime());

  it('gives each payment that matches exactly once, newest first, over all pages', async () => {
    for (let round = 0; round < 24; round += 1) {
      const some = <Value>(value: Value): Value | undefined => (random.next() < 0.4 ? value : undefined);
      const pick = (max: number): number => Math.floor(random.next() * max);
      const currency = some(parseCurrency('JPY')!);
      const [from, buyerAccount] = [
        some(new Date(Date.UTC(2026, 0, 1) + pick(2_000) * 1_000)),
        some(`buyer-${pick(500)}`),
      ];
      const filter: PaymentFilter = {
        // Every second time as finance, which reads those of all sellers.
        ...(round % 2 === 0 ? { seller } : {}),
        // Not fewer: some filters leave 19,000 payments.
        limit: 40 + pick(3_000),
        ...(currency === undefined
          ? {}
          : { currency, amountFromMinor: BigInt(pick(9_000)), amountToMinor: BigInt(9_000 + pick(9_000)) }),
        ...(from === undefined ? {} : { from }),
        ...(buyerAccount === undefined ? {} : { buyerAccount }),
      };
      const found: string[] = [];
      for (let after: PaymentFilter['after']; ; ) {
        const page = await listPayments(room.sql, { ...filter, ...(after === undefined ? {} : { after }) });
        expect(page.payments.length).toBeLessThanOrEqual(filter.limit);
        found.push(...page.payments.map(({ paymentOrderId }) => paymentOrderId));
        if (page.next === undefined) break;
        after = page.next;
      }
      const { rows: sorted } = await room.sql.query<{ id: string }>(
        `SELECT 'l-' || n AS id FROM unnest($1::bigint[], $2::bigint[]) u(n, at) ORDER BY at DESC, 'l-' || n DESC`,
        [
          ofAllSellers.filter((one) => matches(one, filter)).map(({ n }) => n),
          ofAllSellers.filter((one) => matches(one, filter)).map(({ atMs }) => atMs),
        ],
      );
      expect(found).toEqual(sorted.map(({ id }) => id));
    }
  });

  it('looks at few payments for what nothing matches, and says where to continue', async () => {
    const { body } = await get('/payments?status=SUCCESS', 'merchant.lis');
    expect(body.payments).toEqual([]);
    expect(body.next).toMatch(/^[\w-]+$/);
    let next: string | null = body.next;
    let pages = 1;
    for (; next !== null; pages += 1)
      next = (await get(`/payments?status=SUCCESS&after=${next}`, 'merchant.lis')).body.next;
    expect(pages).toBe(4);
  });

  it('finds by order, by checkout, and through HTTP the same as in the export', async () => {
    expect((await get('/payments/l-7', 'merchant.lis')).body).toMatchObject({
      checkout_id: 'lc-7',
      amount: '0.07',
    });
    expect((await get('/payments?checkout_id=lc-7', 'merchant.lis')).body.payments).toHaveLength(1);
    const query = 'currency=EUR&amount_from=1.00&amount_to=9.00&buyer_account=buyer-8&limit=100';
    const list: MerchantPaymentBody[] = (await get(`/payments?${query}`, 'merchant.lis')).body.payments;
    expect(list.map(({ amount }) => amount)).toEqual(['5.08']);
    const first = await get('/payments-export', 'merchant.lis');
    const link = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')![1]!;
    const second = await get(link.slice('/v1/merchant'.length), 'merchant.lis');
    expect(second.headers.get('link')).toBeNull();
    const lines = [first, second].flatMap(({ text }) => text.trim().split('\r\n').slice(1));
    expect(new Set(lines).size).toBe(all.length);
    expect(lines).toHaveLength(all.length);
  });

  it.each<[string, Partial<PaymentFilter>]>([
    ['merchant_payment_pkey', {}],
    ['merchant_payment_pkey', { from: new Date('2026-01-01T00:10:00Z'), currency: parseCurrency('JPY')! }],
    ['merchant_payment_buyer', { buyerAccount: 'buyer-7' }],
    ['merchant_payment_newest', ofAll],
    ['merchant_payment_newest', { ...ofAll, buyerAccount: 'buyer-7', to: new Date('2026-01-01T00:10:00Z') }],
  ])('reads by the index %s for %j and sorts nothing but what it found', async (index, filter) => {
    const plans: string[] = [];
    const explained = {
      query: async <Row extends Readonly<Record<string, unknown>>>(text: string, values: never) => {
        const { rows: plan } = await room.sql.query(`EXPLAIN ${text}`, values);
        plans.push(plan.map((line) => line['QUERY PLAN']).join('\n'));
        return room.sql.query<Row>(text, values);
      },
    };
    const { seller: of = seller, ...search } = filter;
    await listPayments(explained as never, { limit: 50, ...search, ...(of === '' ? {} : { seller: of }) });
    expect(plans[0]).toContain(index);
    expect(plans.join('\n')).not.toMatch(/Seq Scan on (merchant_payment|payment_orders)/);
  });
});
