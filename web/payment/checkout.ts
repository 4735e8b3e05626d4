import type { NewPayment } from '#schemas/http/payments.js';
import { keptByTab } from '../http/kept.js';

const checkoutKey = 'meridian-checkout';

/** The payment of this tab, stored while the browser is on the provider's page. */
export interface Checkout {
  /** The same for every attempt, so that a double click or a reload pays once. */
  readonly key: string;
  readonly body: NewPayment;
}

export const checkout = {
  get(): Checkout | null {
    const kept = keptByTab.get(checkoutKey);
    return kept === null ? null : (JSON.parse(kept) as Checkout);
  },
  keep: (made: Checkout): void => keptByTab.set(checkoutKey, JSON.stringify(made)),
  clear: (): void => keptByTab.remove(checkoutKey),
};

export interface Line {
  readonly seller: string;
  readonly amount: string;
}

export function checkoutOf(buyer: string, currency: string, lines: readonly Line[]): Checkout {
  return {
    key: crypto.randomUUID(),
    body: {
      checkout_id: crypto.randomUUID(),
      buyer_info: { name: buyer } as NewPayment['buyer_info'],
      credit_card_info: {},
      // One card for all of them, typed once.
      ...(lines.length > 1 && { one_page: true }),
      payment_orders: lines.map(({ seller, amount }) => ({
        payment_order_id: crypto.randomUUID(),
        seller_account: seller,
        amount,
        currency,
      })),
    },
  };
}
