import { type Answer, done, refuse } from './answer.js';
import { DisputeBook } from './dispute-book.js';
import type { SimulatedCard, SimulatedCustomer, SimulatedPayment } from './record.js';

/** What is known of a card that is used now. */
export interface UsedCard {
  readonly brand: string;
  readonly last4: string;
  /** `2030-12` */
  readonly expiryMonth: string;
  /** The test token whose outcome this card has. */
  readonly kind: string;
  readonly isOfPage?: true;
}

/** Cards that buyers agreed to have kept, each with a customer of the shop. The number is not kept. */
export class CardBook extends DisputeBook {
  /** Letters alone: nothing in an id can be taken for the number of a card. */
  protected keepCard(
    { nonce, stripe, customer }: Pick<SimulatedPayment, 'nonce' | 'stripe' | 'customer'>,
    used: UsedCard,
    newId: (prefix: string) => string,
  ): SimulatedCard {
    const owner = customer ?? this.addCustomer(newId).id;
    const token = `${stripe === undefined ? 'crd' : 'pm'}_${letters(newId('card'))}`;
    const card = { ...used, token, customer: owner, paymentNonce: nonce };
    this.write({ kind: 'card', card }, 'card');
    return card;
  }

  addCustomer(newId: (prefix: string) => string): SimulatedCustomer {
    const customer = { id: `cus_${letters(newId('customer'))}` };
    this.write({ kind: 'customer', customer }, 'customer');
    return customer;
  }

  /** The card, if it may be charged for this customer. */
  chargeable(token: string, customer: string): SimulatedCard | undefined {
    const card = this.cards.get(token);
    return card?.deletedMs === undefined && card?.customer === customer ? card : undefined;
  }

  /** For good: nothing attaches it to a customer again. */
  deleteCard(token: string): Answer<SimulatedCard> {
    const card = this.cards.get(token);
    if (card === undefined) return refuse(404, 'unknown_card_token');
    if (card.deletedMs !== undefined) return done(card, true);
    const deleted = { ...card, deletedMs: this.nowMs() };
    this.write({ kind: 'card', card: deleted }, 'deletion');
    return done(deleted);
  }

  /** With the cards of the customer. */
  deleteCustomer(id: string): Answer<SimulatedCustomer> {
    const customer = this.customers.get(id);
    if (customer === undefined || customer.deletedMs !== undefined) return refuse(404, 'unknown_customer');
    for (const card of [...this.cards.values()]) if (card.customer === id) this.deleteCard(card.token);
    const deleted = { ...customer, deletedMs: this.nowMs() };
    this.write({ kind: 'customer', customer: deleted }, 'deletion');
    return done(deleted);
  }
}

const letters = (hex: string): string =>
  hex.slice(hex.indexOf('_') + 1).replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!);
