import { type CardOutcome, outcomeOfKept, outcomeOfToken } from '../cards.js';
import type { Reply } from '../exchange.js';
import type { PspStore } from '../psp-store.js';
import type { SimulatedCard, SimulatedPayment } from '../record.js';

type Refuse = (code: string, param?: string) => Reply;
type Fields = Readonly<Record<string, string>>;

/** A card as a payment method; detached for good once it is deleted. */
export const methodJson = (card: SimulatedCard): Record<string, unknown> => ({
  id: card.token,
  object: 'payment_method',
  type: 'card',
  customer: card.deletedMs === undefined ? card.customer : null,
  card: {
    brand: card.brand,
    last4: card.last4,
    exp_month: Number(card.expiryMonth.slice(5)),
    exp_year: Number(card.expiryMonth.slice(0, 4)),
  },
});

export function makeCustomer(fields: Fields, book: PspStore, refuse: Refuse): Reply {
  const unknown = Object.keys(fields).find((name) => name !== 'metadata[nonce]');
  if (unknown !== undefined) return refuse('parameter_unknown', unknown);
  return { status: 200, body: { id: book.addCustomer(book.newId).id, object: 'customer' } };
}

export function deleteStripeCustomer(id: string, book: PspStore, refuse: Refuse): Reply {
  return book.deleteCustomer(id).ok
    ? { status: 200, body: { id, object: 'customer', deleted: true } }
    : refuse('resource_missing', 'id');
}

export function showMethod(id: string, book: PspStore, refuse: Refuse): Reply {
  const card = book.cards.get(id);
  return card === undefined
    ? refuse('resource_missing', 'payment_method')
    : { status: 200, body: methodJson(card) };
}

export function detachMethod(id: string, book: PspStore, refuse: Refuse): Reply {
  const card = book.cards.get(id);
  if (card === undefined) return refuse('resource_missing', 'payment_method');
  // Stripe gives no code when nothing is attached.
  if (card.deletedMs !== undefined) return refuse('');
  book.deleteCard(id);
  return showMethod(id, book, refuse);
}

/** The card of a confirmation; a kept one only for the customer of its intent. */
export function confirmedCard(payment: SimulatedPayment, fields: Fields, book: PspStore) {
  const { payment_method: token = '', off_session: isAway } = fields;
  if (book.cards.has(token)) {
    const kept = book.chargeable(token, payment.customer ?? '');
    if (kept === undefined) return undefined;
    const { amountMinor } = payment;
    const outcome: CardOutcome = outcomeOfKept(kept, { amountMinor, isBuyerAway: isAway === 'true' });
    return { outcome, card: { brand: kept.brand, last4: kept.last4, cardToken: kept.token } };
  }
  const outcome = outcomeOfToken(token);
  if ('code' in outcome && outcome.code === 'unknown_card_token') return undefined;
  return {
    outcome,
    card: { brand: 'visa', last4: '4242', cardKind: token, cardExpiry: '2030-12' },
  };
}
