import type { FieldError } from '#platform/http/problem.js';
import type { NewPayment } from '#schemas/http/payments.js';
import { type Money, parseMoney } from '../money/money.js';
import type { Submission } from '../orders/submission.js';
import { orderLimits } from '../settings/order-limits.js';
import * as messages from './messages.js';

type Parsed =
  | {
      readonly ok: true;
      readonly event: Pick<Submission, 'checkoutId' | 'buyerInfo' | 'cardInfo' | 'orders' | 'manualCapture'>;
    }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/**
 * What the schema cannot say: amounts that are money, ids that differ, one currency in an event, and how
 * large `buyer_info` is.
 */
export function parsePayment(body: NewPayment): Parsed {
  const errors: FieldError[] = [];
  const ids = new Set<string>();
  const orders: { id: string; sellerAccount: string; amount: string; money: Money }[] = [];
  for (const [at, order] of body.payment_orders.entries()) {
    const pointer = `/payment_orders/${at}`;
    const { payment_order_id: id } = order;
    if (ids.has(id))
      errors.push({ pointer: `${pointer}/payment_order_id`, message: messages.duplicateOrder });
    ids.add(id);
    const parsed = parseMoney(order.amount, order.currency);
    if (parsed.kind === 'refused') {
      errors.push({ pointer: `${pointer}/${parsed.field}`, message: parsed.reason });
      continue;
    }
    const [first] = orders;
    if (first !== undefined && first.money.currency !== parsed.money.currency)
      errors.push({ pointer: `${pointer}/currency`, message: messages.severalCurrencies });
    orders.push({ id, sellerAccount: order.seller_account, amount: order.amount, money: parsed.money });
  }
  const buyerInfo = JSON.stringify(body.buyer_info);
  if (Buffer.byteLength(buyerInfo) > orderLimits.infoBytesMax)
    errors.push({ pointer: '/buyer_info', message: messages.tooManyBytes(orderLimits.infoBytesMax) });
  if (errors.length > 0) return { ok: false, errors };
  const { checkout_id: checkoutId, credit_card_info: card } = body;
  const manualCapture = body.capture_method === 'manual';
  const cardInfo = JSON.stringify(card);
  return { ok: true, event: { checkoutId, buyerInfo, cardInfo, orders, manualCapture } };
}
