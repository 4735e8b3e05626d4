import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { codeActions } from '#payment/orders/code-actions.js';
import { declineCodeOf } from '#payment/psp/stripe/stripe-codes.js';
import type { RiskDecision } from '#payment/risk/risk-check.js';
import type { PaymentOrder } from '#schemas/http/payments.js';
import { proves } from '#tools/acceptance/proves.js';
import { OrdersRoom } from './orders-fixture.js';

const allow: RiskDecision = { decision: 'allow', reason: 'nothing_unusual' };
let decision = allow;
let room: OrdersRoom;
beforeAll(async () => {
  room = await OrdersRoom.open({
    style: 'direct',
    pspTimeoutMs: 2_000,
    risk: { name: 'third party', assess: () => Promise.resolve(decision) },
  });
});
afterAll(() => room?.close());
beforeEach(() => room.faults({}));

/** The table: codes with which a provider refuses a charge, and what must follow. */
const refusals = {
  retry: [
    'issuer_unavailable',
    'rate_limited',
    'provider_unavailable',
    'provider_unreachable',
    'never_arrived',
    'invalid_api_key',
  ],
  cancel: [
    'card_declined',
    'insufficient_funds',
    'expired_card',
    'incorrect_number',
    'incorrect_cvc',
    'address_mismatch',
    'authentication_required',
    'authentication_failed',
    'authentication_timeout',
    'unknown_card_token',
    'expired',
    'voided',
  ],
  manual: [
    'suspected_fraud',
    'stolen_card',
    'nonce_used_otherwise',
    'invalid_nonce',
    'invalid_amount',
    'invalid_currency',
    'invalid_expiry',
  ],
} as const;
/** Of our own, about a provider that is away, a risk check, and money that cannot be kept. */
const ours = {
  cancel: ['risk_blocked', 'review_denied'],
  manual: ['retries_exhausted'],
  refund: ['amount_differs', 'captured_late'],
} as const;

const deadLetters = async (id: string): Promise<readonly unknown[]> => {
  const { rows } = await room.sql.query(
    'SELECT cause, needs_person FROM payment_dead_letters WHERE subject_id = $1',
    [id],
  );
  return rows;
};
async function ends(order: PaymentOrder, code: string, action: 'cancel' | 'manual' | 'refund') {
  const { payment_order_id: id } = order;
  expect(await room.get(id)).toMatchObject({
    payment_order_status: 'FAILED',
    is_final: true,
    failure_code: code,
    next_attempt_at: null,
  });
  expect(await deadLetters(id)).toEqual([{ cause: code, needs_person: action === 'manual' }]);
  expect((await room.get(id)).refunds).toHaveLength(action === 'refund' ? 1 : 0);
}

proves('P-124', {
  asked: 'a table of codes: retry, refund, cancel or a person; each code tried',
  shown: 'all 30 over HTTP: 25 refusals of a charge and five of our own; the table is that of the product',
  settings: [
    'firstMs 20',
    'capMs 200',
    'no jitter',
    'direct style, pspTimeoutMs 2,000',
    'askAfterMsMin 50',
    'askAfterMsMax 300',
  ],
  control: {
    in: 'payment/orders/code-actions.ts',
    change: "issuer_unavailable: 'retry',",
    to: "issuer_unavailable: 'cancel',",
  },
});
it.each(refusals.retry)(
  'P-124: a provider that refuses with %s is asked again, and the order is paid',
  async (code) => {
    await room.faults({ next: [{ operation: 'charges', fault: { status: 503, code } }], retryAfterS: 0 });
    const { payment_order_id: id } = await room.pay({}, 'tok_captured');
    const done = await room.until(id, ({ is_final }) => is_final);
    expect(done).toMatchObject({ payment_order_status: 'SUCCESS', attempts: 2 });
    expect(await room.charges(id)).toBe(1);
  },
);

it.each([
  ...refusals.cancel.map((code) => [code, 'cancel'] as const),
  ...refusals.manual.map((code) => [code, 'manual'] as const),
  // One that is in no table.
  ['never_heard_of', 'manual'] as const,
])('P-124: a provider that refuses with %s ends the order by %s', async (code, action) => {
  await room.faults({ next: [{ operation: 'charges', fault: { status: 402, code } }] });
  const order = await room.pay({}, 'tok_captured');
  expect(order.attempts).toBe(1);
  await ends(order, code, action);
});

it('P-124: retries_exhausted ends the order, and a person reviews it', async () => {
  await room.faults({ retryAfterS: 0 });
  const order = await room.pay({}, 'tok_unavailable');
  await room.until(order.payment_order_id, ({ is_final }) => is_final);
  await ends(order, 'retries_exhausted', 'manual');
});

it('P-124: risk_blocked and review_denied cancel the order, and the provider is not asked', async () => {
  decision = { decision: 'block', reason: 'too_many_payments' };
  const blocked = await room.pay({}, 'tok_captured');
  decision = { decision: 'review', reason: 'large_amount' };
  const denied = await room.pay({}, 'tok_captured');
  decision = allow;
  const path = `/v1/payments/${denied.payment_order_id}/review`;
  const verdict = { decision: 'deny', reason: 'called the buyer' };
  const { status } = await room.post(verdict, { path, token: 'staff.sam', base: room.internalUrl });
  expect(status).toBe(200);
  await ends(blocked, 'risk_blocked', 'cancel');
  await ends(denied, 'review_denied', 'cancel');
  const ids = [blocked, denied].map(({ payment_order_id: id }) => id);
  expect(
    (await room.record()).filter((line) => line.kind === 'payment' && ids.includes(line.payment.nonce)),
  ).toEqual([]);
});

it('P-124: amount_differs and captured_late refund what was taken', async () => {
  const wrong = await room.pay({}, 'tok_processing');
  const id = wrong.payment_order_id;
  await room.control('POST', '/payments', { nonce: id, status: 'captured', amount_minor: '999' });
  await room.webhook('payment.captured', await room.payment(id));
  await room.until(id, ({ refunded_amount: back }) => back === '9.99');
  await ends(wrong, 'amount_differs', 'refund');

  const late = await room.pay({}, 'tok_processing');
  const { payment_order_id: lateId } = late;
  await room.control('POST', '/payments', { nonce: lateId, status: 'expired' });
  await room.until(lateId, ({ is_final }) => is_final);
  await room.control('POST', '/payments', { nonce: lateId, status: 'captured' });
  await room.webhook('payment.captured', await room.payment(lateId));
  await room.until(lateId, ({ refunded_amount: refunded }) => refunded === '10.50');
  const { rows: told } = await room.sql.query(
    `SELECT FROM payment_outbox WHERE key = $1 AND payload ->> 'reason' = 'captured_late'`,
    [lateId],
  );
  expect(told).toHaveLength(1);
  await ends(late, 'expired', 'refund');
});

it('P-124: the table of the product is the one that is tried here, code by code', () => {
  const tried = [...Object.entries(refusals), ...Object.entries(ours)].flatMap(([action, codes]) =>
    codes.map((code) => [code, action] as const),
  );
  expect(tried).toHaveLength(30);
  expect(Object.fromEntries(tried)).toEqual(codeActions);
});

/** Stripe's reasons of a decline in our words: https://docs.stripe.com/declines/codes */
const declinesOfStripe = {
  insufficient_funds: ['insufficient_funds', 'card_velocity_exceeded', 'withdrawal_count_limit_exceeded'],
  expired_card: ['expired_card', 'invalid_expiry_month', 'invalid_expiry_year'],
  incorrect_number: ['incorrect_number', 'invalid_number', 'invalid_account'],
  incorrect_cvc: ['incorrect_cvc', 'invalid_cvc'],
  address_mismatch: ['incorrect_address', 'incorrect_zip'],
  suspected_fraud: ['fraudulent', 'merchant_blacklist', 'security_violation'],
  stolen_card: ['lost_card', 'stolen_card', 'pickup_card', 'restricted_card'],
  authentication_required: ['authentication_required'],
  authentication_failed: ['authentication_not_handled', 'payment_intent_authentication_failure'],
  authentication_timeout: ['payment_intent_payment_attempt_expired'],
  // A bank that was not reached, too: the attempt of the intent has failed, and the buyer tries another card.
  card_declined: ['generic_decline', 'do_not_honor', 'issuer_not_available', 'of_tomorrow', undefined],
} as const;

proves('P-124', {
  asked: 'a table of codes: each one tried',
  shown: 'every code of Stripe that has a meaning of its own, and those without: our code, of the same table',
  control: {
    in: 'payment/psp/stripe/stripe-codes.ts',
    change: "lost_card: 'stolen_card',",
    to: "lost_card: 'card_declined',",
  },
});
it('P-124: the codes of Stripe are mapped to ours, which have their actions', () => {
  for (const [ours, theirs] of Object.entries(declinesOfStripe)) {
    expect(Object.keys(codeActions)).toContain(ours);
    for (const reason of theirs) {
      const declined = { type: 'card_error', code: 'card_declined', decline_code: reason };
      expect([reason, declineCodeOf(declined)]).toEqual([reason, ours]);
    }
  }
  // Without the bank's reason the code of the error counts.
  expect(declineCodeOf({ code: 'expired_card' })).toBe('expired_card');
});
