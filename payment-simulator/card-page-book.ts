import { type Answer, done, refuse } from './answer.js';
import { CardBook } from './card-book.js';
import type { CardOutcome } from './cards.js';
import type { SimulatedCardPage } from './record.js';

type NewId = (prefix: string) => string;

/** A card as it was typed on the page; the number is not kept. */
export type TypedCard = Pick<SimulatedCardPage, 'brand' | 'last4' | 'cardKind' | 'cardExpiry'>;

/** How long a bank waits for the buyer to answer a challenge. */
const challengeMs = 10 * 60_000;

/** Pages that take one card for several payments. No money moves on them, and each takes one card. */
export class CardPageBook extends CardBook {
  openCardPage(
    wanted: Pick<
      SimulatedCardPage,
      'nonce' | 'totalMinor' | 'currency' | 'payments' | 'expiresMs' | 'successUrl' | 'failureUrl' | 'stripe'
    >,
    newId: NewId,
  ): Answer<SimulatedCardPage> {
    const known = this.cardPage(wanted.nonce);
    if (known !== undefined) {
      const isSame = known.totalMinor === wanted.totalMinor && known.currency === wanted.currency;
      return isSame || known.status === 'closed' ? done(known, true) : refuse(422, 'nonce_used_otherwise');
    }
    const token = wanted.stripe?.session ?? newId('cpg');
    const page = { ...wanted, reference: newId('page'), token, status: 'open' } as const;
    return done(this.#keep(page, 'registration'));
  }

  /** The present state: nobody typed a card in time, or nobody answered the bank in time. */
  cardPage(nonce: string): SimulatedCardPage | undefined {
    const page = this.cardPages.get(nonce);
    if (page === undefined || (page.status !== 'open' && page.status !== 'challenge')) return page;
    const nowMs = this.nowMs();
    if (page.expiresMs <= nowMs) return this.#keep({ ...page, status: 'expired' }, 'expiry');
    const isLate = page.status === 'challenge' && (page.challengeUntilMs ?? Infinity) <= nowMs;
    return isLate ? this.#keep({ ...page, status: 'open' }, 'challenge') : page;
  }

  cardPageByToken(token: string): SimulatedCardPage | undefined {
    const nonce = this.nonceOf(token);
    return nonce === undefined ? undefined : this.cardPage(nonce);
  }

  /**
   * The bank is asked whether the card is good, not whether it has enough money. A declined card leaves the
   * page open.
   */
  typeCard(nonce: string, outcome: CardOutcome, card: TypedCard, newId: NewId): Answer<SimulatedCardPage> {
    const page = this.cardPage(nonce);
    if (page === undefined) return refuse(404, 'unknown_nonce');
    if (page.status !== 'open') return done(page, true);
    const isPoor = outcome.result === 'declined' && outcome.code === 'insufficient_funds';
    if ('code' in outcome && !isPoor)
      return refuse(outcome.result === 'unavailable' ? 503 : 402, outcome.code);
    const typed = { ...page, ...card };
    if (outcome.result !== 'challenge') return done(this.#take(typed, newId));
    const challengeUntilMs = this.nowMs() + challengeMs;
    return done(this.#keep({ ...typed, status: 'challenge', challengeUntilMs }, 'page'));
  }

  answerPageChallenge(nonce: string, isApproved: boolean, newId: NewId): Answer<SimulatedCardPage> {
    const page = this.cardPage(nonce);
    if (page === undefined) return refuse(404, 'unknown_nonce');
    if (page.status !== 'challenge') return done(page, true);
    return done(isApproved ? this.#take(page, newId) : this.#keep({ ...page, status: 'open' }, 'challenge'));
  }

  /** A nonce that was never seen is closed as well. A page that has its card says so. */
  closeCardPage(nonce: string, newId: NewId): Answer<SimulatedCardPage> {
    const page = this.cardPage(nonce);
    if (page !== undefined && page.status !== 'open' && page.status !== 'challenge') return done(page, true);
    const closed = page ?? {
      nonce,
      reference: newId('page'),
      token: newId('cpg'),
      totalMinor: '0',
      currency: 'XXX',
      payments: 0,
      expiresMs: 0,
      successUrl: '',
      failureUrl: '',
    };
    return done(this.#keep({ ...closed, status: 'closed' }, 'void'));
  }

  #take(page: SimulatedCardPage, newId: NewId): SimulatedCardPage {
    const { brand = 'card', last4 = '0000', cardKind: kind = '', cardExpiry: expiryMonth = '' } = page;
    const card = this.keepCard(page, { brand, last4, expiryMonth, kind, isOfPage: true }, newId);
    const { token: cardToken, customer } = card;
    return this.#keep({ ...page, status: 'taken', cardToken, customer }, 'page');
  }

  #keep(page: SimulatedCardPage, cause: string): SimulatedCardPage {
    this.write({ kind: 'cardPage', cardPage: page }, cause);
    return page;
  }
}
