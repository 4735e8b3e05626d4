import type { FieldError } from '#platform/http/problem.js';
import type { NewPayment } from '#schemas/http/payments.js';
import { type Money, parseMoney } from '../money/money.js';
import type { Submission } from '../orders/submission.js';
import { orderLimits } from '../settings/order-limits.js';
import * as messages from './messages.js';

type Parsed =
  | {
      readonly ok: true;
      readonly event: Pick<
        Submission,
        | 'checkoutId'
        | 'buyerInfo'
        | 'cardInfo'
        | 'orders'
        | 'manualCapture'
        | 'keepsCard'
        | 'savedCardId'
        | 'onePage'
      >;
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
  errors.push(...savedCardErrors(body), ...onePageErrors(body));
  if (errors.length > 0) return { ok: false, errors };
  const { checkout_id: checkoutId, credit_card_info: card } = body;
  const manualCapture = body.capture_method === 'manual';
  const cardInfo = JSON.stringify(card);
  const event = { checkoutId, buyerInfo, cardInfo, orders, manualCapture };
  const { save: keepsCard = false, saved_card_id: savedCardId } = card;
  return {
    ok: true,
    event: {
      ...event,
      onePage: body.one_page === true,
      keepsCard,
      ...(savedCardId === undefined ? {} : { savedCardId }),
    },
  };
}

/** A card is kept for one seller; a kept one is neither another card nor kept again. */
function savedCardErrors({ credit_card_info: card, payment_orders: orders }: NewPayment): FieldError[] {
  const { save, saved_card_id: id, token, off_session: offSession } = card;
  const at = (name: string, message: string) => ({ pointer: `/credit_card_info/${name}`, message });
  return [
    ...(save === true && orders.length > 1 ? [at('save', messages.savedWithOneOrder)] : []),
    ...(save === true && id !== undefined ? [at('save', messages.savedPays)] : []),
    ...(token !== undefined && id !== undefined ? [at('token', messages.savedPays)] : []),
    ...(offSession === true && id === undefined ? [at('off_session', messages.needsSavedCard)] : []),
  ];
}

/** The card is typed on the page, and kept for its orders alone. */
function onePageErrors({ one_page: isOnePage, credit_card_info: card }: NewPayment): FieldError[] {
  if (isOnePage !== true) return [];
  const others = ['token', 'saved_card_id', 'save'] as const;
  return others
    .filter((name) => card[name] !== undefined && card[name] !== false)
    .map((name) => ({ pointer: `/credit_card_info/${name}`, message: messages.onePageTakesCard }));
}
