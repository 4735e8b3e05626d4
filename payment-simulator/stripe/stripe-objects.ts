import type { SimulatedDispute, SimulatedPayment, SimulatedRefund } from '../record.js';

type Json = Record<string, unknown>;

const lower = (currency: string): string => currency.toLowerCase();

/** What Stripe calls the reasons of our test cards. */
const declines: Readonly<Record<string, readonly [code: string, reason: string]>> = {
  card_declined: ['card_declined', 'generic_decline'],
  insufficient_funds: ['card_declined', 'insufficient_funds'],
  expired_card: ['expired_card', 'expired_card'],
  incorrect_number: ['incorrect_number', 'incorrect_number'],
  incorrect_cvc: ['incorrect_cvc', 'incorrect_cvc'],
  address_mismatch: ['incorrect_zip', 'incorrect_zip'],
  suspected_fraud: ['card_declined', 'fraudulent'],
  stolen_card: ['card_declined', 'stolen_card'],
  issuer_unavailable: ['card_declined', 'issuer_not_available'],
  authentication_required: ['authentication_required', 'authentication_required'],
  authentication_failed: ['payment_intent_authentication_failure', ''],
  authentication_timeout: ['payment_intent_payment_attempt_expired', ''],
};

export function errorJson(code: string | undefined): Json {
  const [name, reason] = declines[code ?? ''] ?? declines['card_declined']!;
  return {
    type: 'card_error',
    code: name,
    message: 'The card was declined.',
    ...(reason === '' ? {} : { decline_code: reason }),
  };
}

const statuses = {
  registered: 'requires_payment_method',
  declined: 'requires_payment_method',
  challenge: 'requires_action',
  processing: 'processing',
  review: 'processing',
  authorized: 'requires_capture',
  captured: 'succeeded',
  expired: 'canceled',
  voided: 'canceled',
} as const;

export const chargeId = ({ nonce }: Pick<SimulatedPayment, 'nonce'>): string => nonce.replace(/^pi_/, 'ch_');

export const intentJson = (payment: SimulatedPayment, baseUrl: string, method?: Json): Json => ({
  id: payment.nonce,
  object: 'payment_intent',
  amount: Number(payment.amountMinor),
  amount_received: Number(payment.capturedMinor),
  currency: lower(payment.currency),
  status: statuses[payment.status],
  metadata: payment.stripe?.metadata ?? {},
  payment_method_types: ['card'],
  last_payment_error: payment.status === 'declined' ? errorJson(payment.code) : null,
  next_action:
    payment.status === 'challenge'
      ? { type: 'redirect_to_url', redirect_to_url: { url: `${baseUrl}/challenge/${payment.token}` } }
      : null,
  customer: payment.customer ?? null,
  payment_method: method ?? payment.cardToken ?? null,
  setup_future_usage: payment.keep === 'agreed' ? 'off_session' : null,
  latest_charge: payment.capturedMinor === '0' ? null : chargeId(payment),
  livemode: false,
});

/** While the buyer tries cards, the session is open. */
export const sessionJson = (payment: SimulatedPayment, baseUrl: string): Json => {
  const { status, stripe } = payment;
  const isOpen = status === 'registered' || status === 'challenge';
  const isOver = status === 'expired' || status === 'voided';
  return {
    id: stripe?.session,
    object: 'checkout.session',
    mode: 'payment',
    amount_total: Number(payment.amountMinor),
    currency: lower(payment.currency),
    client_reference_id: stripe?.metadata['nonce'] ?? null,
    metadata: { nonce: stripe?.metadata['nonce'] },
    status: isOpen ? 'open' : isOver ? 'expired' : 'complete',
    payment_status: status === 'captured' ? 'paid' : 'unpaid',
    payment_intent: isOpen || isOver ? null : payment.nonce,
    url: isOpen ? `${baseUrl}/pay/${payment.token}` : null,
    expires_at: Math.floor(payment.expiresMs / 1_000),
    livemode: false,
  };
};

export const stripeChargeJson = (payment: SimulatedPayment): Json => ({
  id: chargeId(payment),
  object: 'charge',
  amount: Number(payment.capturedMinor),
  amount_refunded: Number(payment.refundedMinor),
  currency: lower(payment.currency),
  metadata: payment.stripe?.metadata ?? {},
  payment_intent: payment.nonce,
  status: 'succeeded',
});

const refundStatuses = { processing: 'pending', refunded: 'succeeded', refused: 'failed' } as const;

export const stripeRefundJson = (refund: SimulatedRefund): Json => ({
  id: refund.nonce,
  object: 'refund',
  amount: Number(refund.amountMinor),
  currency: lower(refund.currency),
  payment_intent: refund.paymentNonce,
  metadata: refund.metadata ?? {},
  status: refundStatuses[refund.status],
  ...(refund.status === 'refused' ? { failure_reason: 'lost_or_stolen_card' } : {}),
});

const disputeStatuses = { opened: 'needs_response', won: 'won', lost: 'lost' } as const;

const statusOf = ({ status, evidence }: SimulatedDispute): string =>
  status === 'opened' && evidence !== undefined ? 'under_review' : disputeStatuses[status];

export const stripeDisputeJson = (dispute: SimulatedDispute): Json => ({
  id: dispute.id,
  object: 'dispute',
  amount: Number(dispute.amountMinor),
  currency: lower(dispute.currency),
  charge: chargeId({ nonce: dispute.paymentNonce }),
  payment_intent: dispute.paymentNonce,
  reason: dispute.reason ?? 'general',
  status: statusOf(dispute),
  evidence_details: {
    due_by: dispute.dueMs === undefined ? null : Math.floor(dispute.dueMs / 1_000),
    has_evidence: dispute.evidence !== undefined,
    past_due: false,
    submission_count: dispute.evidence === undefined ? 0 : 1,
  },
});
