import { createHmac } from 'node:crypto';
import type { Fact, SimulatedCardPage, SimulatedPayment } from '../record.js';
import {
  intentJson,
  sessionJson,
  stripeChargeJson,
  stripeDisputeJson,
  stripeRefundJson,
} from './stripe-objects.js';
import { setupSessionJson } from './stripe-setup.js';

export interface Message {
  readonly type: string;
  readonly data: object;
}

/** Whether a fact is about a payment that was made in Stripe's protocol. */
export function isStripes(fact: Fact): boolean {
  switch (fact.kind) {
    case 'payment':
      return fact.payment.stripe !== undefined;
    case 'refund':
      return fact.refund.paymentNonce.startsWith('pi_');
    case 'dispute':
      return fact.dispute.paymentNonce.startsWith('pi_');
    case 'cardPage':
      return fact.cardPage.stripe !== undefined;
    case 'file':
    case 'payout':
    case 'card':
    case 'customer':
      return false;
    case 'reply':
      return true;
  }
}

/** What Stripe would tell the shop about a fact. */
export function stripeMessages(fact: Fact, baseUrl: string): readonly Message[] {
  switch (fact.kind) {
    case 'payment':
      return ofPayment(fact.payment, baseUrl);
    case 'refund': {
      const failed = fact.refund.status === 'refused';
      return [{ type: failed ? 'refund.failed' : 'refund.updated', data: stripeRefundJson(fact.refund) }];
    }
    case 'dispute': {
      const { status, evidence } = fact.dispute;
      const opened = evidence === undefined ? 'created' : 'updated';
      const what = status === 'opened' ? opened : 'closed';
      return [{ type: `charge.dispute.${what}`, data: stripeDisputeJson(fact.dispute) }];
    }
    case 'cardPage':
      return ofCardPage(fact.cardPage, baseUrl);
    case 'file':
    case 'payout':
    case 'card':
    case 'customer':
    case 'reply':
      return [];
  }
}

const intentTypes = {
  registered: 'payment_intent.created',
  declined: 'payment_intent.payment_failed',
  challenge: 'payment_intent.requires_action',
  processing: 'payment_intent.processing',
  review: 'payment_intent.processing',
  authorized: 'payment_intent.amount_capturable_updated',
  captured: 'payment_intent.succeeded',
  expired: 'payment_intent.canceled',
  voided: 'payment_intent.canceled',
} as const;

function ofPayment(payment: SimulatedPayment, baseUrl: string): readonly Message[] {
  if (payment.refundedMinor !== '0') return [{ type: 'charge.refunded', data: stripeChargeJson(payment) }];
  const { status, stripe } = payment;
  const intent = { type: intentTypes[status], data: intentJson(payment, baseUrl) };
  if (stripe?.session === undefined) return [intent];
  const session = sessionJson(payment, baseUrl);
  if (status === 'expired' || status === 'voided')
    return [{ type: 'checkout.session.expired', data: session }];
  const isComplete = session['status'] === 'complete';
  return isComplete ? [intent, { type: 'checkout.session.completed', data: session }] : [intent];
}

function ofCardPage(page: SimulatedCardPage, baseUrl: string): readonly Message[] {
  const { status } = page;
  if (status === 'open' || status === 'challenge') return [];
  const what = status === 'taken' ? 'completed' : 'expired';
  return [{ type: `checkout.session.${what}`, data: setupSessionJson(page, baseUrl) }];
}

/** The body of an event, as it is signed and sent. */
export const stripeEvent = (id: string, { type, data }: Message, nowMs: number): string =>
  JSON.stringify({
    id: id.replace(/^msg_/, 'evt_'),
    object: 'event',
    api_version: '2026-08-26.dahlia',
    created: Math.floor(nowMs / 1_000),
    livemode: false,
    type,
    data: { object: data },
  });

export function stripeSignature(body: string, secrets: readonly string[], nowMs: number): string {
  const time = Math.floor(nowMs / 1_000);
  const signatures = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`,
  );
  return [`t=${time}`, ...signatures].join(',');
}
