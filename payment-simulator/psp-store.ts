import { type Answer, done, refuse } from './answer.js';
import type { UsedCard } from './card-book.js';
import { CardPageBook } from './card-page-book.js';
import type { CardOutcome } from './cards.js';
import type {
  KeptReply,
  SimulatedDispute,
  SimulatedPayment,
  SimulatedPayout,
  SimulatedRefund,
  StripeFields,
  TruthRecord,
} from './record.js';

export interface Registration {
  readonly nonce: string;
  readonly amountMinor: string;
  readonly currency: string;
  readonly expiresMs: number;
  readonly successUrl: string;
  readonly failureUrl: string;
  readonly manual?: true;
  readonly stripe?: StripeFields;
  readonly keep?: 'offered' | 'agreed';
  readonly customer?: string;
}

type CardField = 'brand' | 'last4' | 'keep' | 'cardToken' | 'cardKind' | 'cardExpiry';
type UsedField = CardField | 'successUrl' | 'failureUrl';

/** An authorization that was not captured in this time has expired. */
const authorizationMs = 7 * 24 * 3_600_000;
/** How long a bank waits for the buyer to answer a challenge. */
const challengeMs = 10 * 60_000;

/** How long the bank waits for evidence. */
const evidenceMs = 7 * 24 * 3_600_000;

/**
 * The provider's books: payments, refunds, disputes and payouts, each identified by the nonce that the caller
 * chose. A repeated request under one nonce has one effect.
 */
export class PspStore extends CardPageBook {
  readonly #id: (prefix: string) => string;

  constructor(record: TruthRecord, nowMs: () => number, id: (prefix: string) => string) {
    super(record, nowMs);
    this.#id = id;
  }

  register(wanted: Registration, cause = 'registration'): Answer<SimulatedPayment> {
    const known = this.payment(wanted.nonce);
    if (known !== undefined) {
      const same =
        known.status === 'voided' ||
        (known.amountMinor === wanted.amountMinor && known.currency === wanted.currency);
      return same ? done(known, true) : refuse(422, 'nonce_used_otherwise');
    }
    const payment: SimulatedPayment = {
      ...wanted,
      reference: this.#id('pay'),
      token: wanted.stripe?.session ?? this.#id('reg'),
      status: 'registered',
      capturedMinor: '0',
      refundedMinor: '0',
      sequence: 1,
    };
    this.write({ kind: 'payment', payment }, cause);
    return done(payment);
  }

  readonly newId = (prefix: string): string => this.#id(prefix);

  keepReply(reply: KeptReply): void {
    if (!this.replies.has(reply.key)) this.write({ kind: 'reply', reply }, 'key');
  }

  /** By the payment order's id: in Stripe's protocol it is metadata, and the last charged intent counts. */
  named(nonce: string): SimulatedPayment | undefined {
    const own = this.payments.get(nonce);
    if (own !== undefined) return own;
    const intents = [...this.payments.values()].filter(({ stripe }) => stripe?.metadata['nonce'] === nonce);
    return intents.findLast(({ status }) => status !== 'registered') ?? intents.at(-1);
  }

  /**
   * The present state: a registration that was not paid in time has expired, and a challenge that the buyer
   * did not answer in time has failed.
   */
  payment(nonce: string): SimulatedPayment | undefined {
    const payment = this.payments.get(nonce);
    if (payment?.status === 'authorized' && payment.authorizedMs !== undefined)
      return payment.authorizedMs + authorizationMs <= this.nowMs()
        ? this.#move(payment, { status: 'expired' }, 'expiry')
        : payment;
    if (payment === undefined || !['registered', 'challenge'].includes(payment.status)) return payment;
    const nowMs = this.nowMs();
    if (payment.expiresMs <= nowMs) return this.#move(payment, { status: 'expired' }, 'expiry');
    const isLate = payment.status === 'challenge' && (payment.challengeUntilMs ?? Infinity) <= nowMs;
    return isLate ? this.#challengeFailed(payment, 'authentication_timeout') : payment;
  }

  /** The buyer's answer to the bank; nothing happens unless the bank waits for one. */
  answerChallenge(nonce: string, isApproved: boolean): Answer<SimulatedPayment> {
    const payment = this.payment(nonce);
    if (payment === undefined) return refuse(404, 'unknown_nonce');
    if (payment.status !== 'challenge') return done(payment, true);
    return done(
      isApproved
        ? this.#move(payment, this.#approved(payment), 'challenge')
        : this.#challengeFailed(payment, 'authentication_failed'),
    );
  }

  /** The bank let the card through. */
  #approved(payment: SimulatedPayment): Partial<SimulatedPayment> {
    return payment.manual === true
      ? { status: 'authorized', authorizedMs: this.nowMs() }
      : { status: 'captured', ...this.#captured(payment) };
  }

  /** The page of a session stays open for another card. */
  #challengeFailed(payment: SimulatedPayment, code: string): SimulatedPayment {
    const change =
      payment.stripe?.session === undefined
        ? ({ status: 'declined', code } as const)
        : ({ status: 'registered' } as const);
    return this.#move(payment, change, 'challenge');
  }

  byToken(token: string): SimulatedPayment | undefined {
    const nonce = this.nonceOf(token);
    return nonce === undefined ? undefined : this.payment(nonce);
  }

  /** Uses the card if the payment waits for one; otherwise nothing happens. */
  pay(
    nonce: string,
    outcome: CardOutcome,
    card: Partial<Pick<SimulatedPayment, UsedField>> | undefined,
    cause: string,
  ): Answer<SimulatedPayment> {
    const payment = this.payment(nonce);
    if (payment === undefined) return refuse(404, 'unknown_nonce');
    if (payment.status !== 'registered') return done(payment, true);
    if (outcome.result === 'unavailable') return refuse(503, outcome.code);
    const code = 'code' in outcome ? { code: outcome.code } : {};
    if (outcome.result === 'captured')
      return done(this.#move(payment, { ...this.#approved(payment), ...card }, cause));
    const waits = outcome.result === 'challenge' ? { challengeUntilMs: this.nowMs() + challengeMs } : {};
    const change = { status: outcome.result, ...code, ...card, ...waits };
    return done(this.#move(payment, change, cause));
  }

  /** Changes a payment from outside: a review ends, or a bank answers after the expiry. */
  force(
    nonce: string,
    status: SimulatedPayment['status'],
    code?: string,
    amountMinor?: string,
    cause = 'control',
  ): Answer<SimulatedPayment> {
    const payment = this.named(nonce);
    if (payment === undefined) return refuse(404, 'unknown_nonce');
    if (payment.status === 'captured') return done(payment, true);
    const captured =
      status === 'captured'
        ? {
            ...this.#captured(payment),
            ...(amountMinor === undefined ? {} : { amountMinor, capturedMinor: amountMinor }),
          }
        : {};
    return done(this.#move(payment, { status, ...captured, ...(code === undefined ? {} : { code }) }, cause));
  }

  /** Once, in full or in part; the rest is released. */
  capture(nonce: string, amountMinor?: string): Answer<SimulatedPayment> {
    const payment = this.payment(nonce);
    if (payment === undefined) return refuse(404, 'unknown_nonce');
    const wanted = amountMinor ?? payment.amountMinor;
    if (payment.status === 'captured')
      return payment.capturedMinor === wanted ? done(payment, true) : refuse(409, 'captured_otherwise');
    if (payment.status !== 'authorized') return refuse(409, 'not_authorized');
    if (BigInt(wanted) > BigInt(payment.amountMinor)) return refuse(422, 'above_authorized');
    const captured = { ...this.#captured(payment), capturedMinor: wanted };
    return done(this.#move(payment, { status: 'captured', ...captured }, 'capture'));
  }

  /**
   * A nonce that was never seen is closed as well, so that a request that is still on its way cannot charge.
   */
  void(nonce: string): Answer<SimulatedPayment> {
    const payment = this.payment(nonce);
    if (payment === undefined) {
      const closed: Registration = {
        nonce,
        amountMinor: '0',
        currency: 'XXX',
        expiresMs: 0,
        successUrl: '',
        failureUrl: '',
      };
      const made = { ...closed, reference: this.#id('pay'), token: this.#id('reg'), sequence: 1 };
      const tombstone: SimulatedPayment = {
        ...made,
        status: 'voided',
        capturedMinor: '0',
        refundedMinor: '0',
      };
      this.write({ kind: 'payment', payment: tombstone }, 'void');
      return done(tombstone);
    }
    if (['captured', 'declined', 'expired', 'voided'].includes(payment.status)) return done(payment, true);
    return done(this.#move(payment, { status: 'voided' }, 'void'));
  }

  refund(
    nonce: string,
    paymentNonce: string,
    amountMinor: string,
    currency: string,
    more: Pick<SimulatedRefund, 'metadata'> = {},
  ): Answer<SimulatedRefund> {
    const known = this.refunds.get(nonce);
    if (known !== undefined)
      return known.paymentNonce === paymentNonce && known.amountMinor === amountMinor
        ? done(known, true)
        : refuse(422, 'nonce_used_otherwise');
    const payment = this.payment(paymentNonce);
    if (payment === undefined) return refuse(404, 'unknown_payment');
    if (payment.currency !== currency) return refuse(422, 'currency_differs');
    const left = BigInt(payment.capturedMinor) - BigInt(payment.refundedMinor);
    if (BigInt(amountMinor) > left) return refuse(422, 'above_captured');
    const refundedMs = this.nowMs();
    const refund: SimulatedRefund = {
      nonce,
      reference: this.#id('ref'),
      paymentNonce,
      status: 'refunded',
      amountMinor,
      currency,
      refundedMs,
      ...more,
    };
    this.write({ kind: 'refund', refund }, 'refund');
    const refundedMinor = (BigInt(payment.refundedMinor) + BigInt(amountMinor)).toString();
    this.write(
      { kind: 'payment', payment: { ...payment, refundedMinor, sequence: payment.sequence + 1 } },
      'refund',
    );
    return done(refund);
  }

  dispute(paymentNonce: string, amountMinor?: string, dueMs?: number): Answer<SimulatedDispute> {
    const payment = this.named(paymentNonce);
    if (payment?.status !== 'captured') return refuse(409, 'not_captured');
    const dispute: SimulatedDispute = {
      id: this.#id('dsp'),
      paymentNonce: payment.nonce,
      status: 'opened',
      amountMinor: amountMinor ?? payment.capturedMinor,
      currency: payment.currency,
      changedMs: this.nowMs(),
      dueMs: dueMs ?? this.nowMs() + evidenceMs,
      reason: 'fraudulent',
    };
    this.write({ kind: 'dispute', dispute }, 'control');
    return done(dispute);
  }

  /** Bank accounts whose name holds CLOSED or INVALID are refused. */
  payout(nonce: string, account: string, amountMinor: string, currency: string): Answer<SimulatedPayout> {
    const known = this.payouts.get(nonce);
    if (known !== undefined)
      return known.account === account && known.amountMinor === amountMinor
        ? done(known, true)
        : refuse(422, 'nonce_used_otherwise');
    const common = { nonce, reference: this.#id('out'), account, amountMinor, currency };
    const wrong = ['closed', 'invalid'].find((word) => account.includes(word.toUpperCase()));
    const payout: SimulatedPayout =
      wrong === undefined
        ? { ...common, status: 'paid', paidMs: this.nowMs() }
        : { ...common, status: 'refused', code: `account_${wrong}` };
    this.write({ kind: 'payout', payout }, 'payout');
    return done(payout);
  }

  #captured(payment: SimulatedPayment): Partial<SimulatedPayment> {
    return { capturedMinor: payment.amountMinor, capturedMs: this.nowMs() };
  }

  #move(payment: SimulatedPayment, change: Partial<SimulatedPayment>, cause: string): SimulatedPayment {
    const next = { ...payment, ...change, sequence: payment.sequence + 1 };
    const used = usedCard(next);
    const kept = used === undefined ? undefined : this.keepCard(next, used, this.#id);
    const moved = kept === undefined ? next : { ...next, cardToken: kept.token, customer: kept.customer };
    this.write({ kind: 'payment', payment: moved }, cause);
    return moved;
  }
}

/** The card that a paid payment leaves behind, once. */
function usedCard(payment: SimulatedPayment): UsedCard | undefined {
  const { status, keep, cardToken, brand, last4, cardExpiry, cardKind } = payment;
  const isPaid = status === 'captured' || status === 'authorized';
  if (!isPaid || keep !== 'agreed' || cardToken !== undefined) return undefined;
  if (brand === undefined || last4 === undefined || cardKind === undefined || cardExpiry === undefined)
    return undefined;
  return { brand, last4, expiryMonth: cardExpiry, kind: cardKind };
}
