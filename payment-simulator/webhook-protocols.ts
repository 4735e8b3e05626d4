import { Webhook } from 'standardwebhooks';
import type { Fact, SimulatedPayment } from './record.js';
import {
  isStripes,
  type Message,
  stripeEvent,
  stripeMessages,
  stripeSignature,
} from './stripe/stripe-events.js';
import type { WebhookProtocol } from './webhook-sender.js';
import { paymentJson, refundJson } from './wire.js';

/** Standard Webhooks. `secrets` are `whsec_…`; with two, each webhook carries both signatures. */
export const standardWebhooks = (
  secrets: () => readonly string[],
  paymentOf: (nonce: string) => SimulatedPayment | undefined,
): WebhookProtocol => ({
  messages(fact) {
    const message = isStripes(fact) ? undefined : messageOf(fact, paymentOf);
    return message === undefined ? [] : [message];
  },
  body: (id, { type, data }, nowMs) =>
    JSON.stringify({
      id,
      type,
      created: new Date(nowMs).toISOString(),
      api_version: '2026-11-01',
      data,
    }),
  headers: (id, body, at) => ({
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets()
      .map((secret) => new Webhook(secret).sign(id, at, body))
      .join(' '),
  }),
});

export const stripeWebhooks = (secrets: () => readonly string[], baseUrl: () => string): WebhookProtocol => ({
  messages: (fact) => (isStripes(fact) ? stripeMessages(fact, baseUrl()) : []),
  body: stripeEvent,
  headers: (_, body, at) => ({
    'content-type': 'application/json; charset=utf-8',
    'stripe-signature': stripeSignature(body, secrets(), at.getTime()),
  }),
});

/** What a webhook says of a fact; undefined if it is not worth one. */
export function messageOf(
  fact: Fact,
  paymentOf: (nonce: string) => SimulatedPayment | undefined,
): Message | undefined {
  switch (fact.kind) {
    case 'payment':
      return fact.payment.status === 'registered'
        ? undefined
        : { type: `payment.${fact.payment.status}`, data: paymentJson(fact.payment) };
    case 'refund':
      return { type: `refund.${fact.refund.status}`, data: refundJson(fact.refund) };
    case 'dispute': {
      const { id, paymentNonce, status, amountMinor, currency, dueMs, reason } = fact.dispute;
      const data = {
        dispute_id: id,
        payment_nonce: paymentNonce,
        amount_minor: amountMinor,
        currency,
        reference: paymentOf(paymentNonce)?.reference ?? '',
        ...(dueMs === undefined ? {} : { evidence_due_at: new Date(dueMs).toISOString() }),
        ...(reason === undefined ? {} : { reason }),
      };
      return { type: `dispute.${status}`, data };
    }
    case 'cardPage':
      return fact.cardPage.status === 'taken'
        ? { type: 'page.taken', data: { nonce: fact.cardPage.nonce } }
        : undefined;
    case 'file':
    case 'payout':
    case 'card':
    case 'customer':
    case 'reply':
      return undefined;
  }
}
