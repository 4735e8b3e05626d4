import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { PaymentEvent, PaymentOrder, Refund } from '#schemas/http/payments.js';
import { browsePage, certificateIn } from '../../browse-page.js';
import { eventually } from '../../eventually.js';
import type { DefaultPlatform } from '../default-platform.js';
import { callerOf, type Person } from '../person.js';

const account = 'DE89370400440532013000';
interface Balances {
  readonly balances: readonly {
    readonly currency: string;
    readonly available: string;
    readonly pending: string;
  }[];
}

/** Sells to many buyers, refunds a part of every other sale, and finds its balance right to the cent. */
export async function merchant(platform: DefaultPlatform): Promise<Person> {
  const [shop, owner, finance] = await Promise.all([
    callerOf(platform, 'daily-shop', 'service'),
    callerOf(platform, 'daily-shop-owner', 'merchant'),
    callerOf(platform, 'daily-opener', 'finance', 'internal'),
  ]);
  await finance.ask('POST', '/v1/merchant-accounts', {
    ...{ merchant_id: 'daily-shop-owner', seller_account: account, reason: 'opened with the shop' },
  });
  const keyed = () => ({ 'idempotency-key': randomUUID() });
  let dueCents = 0;
  return {
    name: 'merchant',
    everyMs: 10_000,
    async round(n) {
      const id = randomUUID();
      const cents = 1_000 + 7 * n;
      const amount = (cents / 100).toFixed(2);
      const event = {
        checkout_id: randomUUID(),
        buyer_info: { account: `buyer-${n}` },
        credit_card_info: {},
        payment_orders: [{ seller_account: account, amount, currency: 'EUR', payment_order_id: id }],
      };
      const { payment_orders } = await shop.ask<PaymentEvent>('POST', '/v1/payments', event, keyed());
      const page = payment_orders[0]!.payment_page_url!;
      await browsePage(page, await certificateIn(platform.data), { number: '4242424242424242' });
      const order = () => shop.ask<PaymentOrder>('GET', `/v1/payments/${id}`);
      await eventually(async () => {
        const { payment_order_status, ledger_updated, wallet_updated, captured_amount } = await order();
        expect([payment_order_status, ledger_updated, wallet_updated, captured_amount]).toEqual([
          ...['SUCCESS', true, true, amount],
        ]);
      });
      dueCents += cents;
      if (n % 2 === 0) return;
      const refund = { refund_id: randomUUID(), amount: '2.50', reason: 'one item was broken' };
      await shop.ask<Refund>('POST', `/v1/payments/${id}/refunds`, refund, keyed());
      await eventually(async () => {
        const { refunds, refunded_amount } = await order();
        expect([refunds[0]!.refund_status, refunded_amount]).toEqual(['SUCCESS', '2.50']);
      });
      dueCents -= 250;
    },
    async finish() {
      await eventually(async () => {
        const { balances } = await owner.ask<Balances>('GET', '/v1/merchant/balance');
        expect(balances).toMatchObject([
          { currency: 'EUR', available: (dueCents / 100).toFixed(2), pending: '0.00' },
        ]);
      });
    },
  };
}
