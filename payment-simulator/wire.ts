import type {
  SimulatedCard,
  SimulatedCardPage,
  SimulatedPayment,
  SimulatedPayout,
  SimulatedRefund,
} from './record.js';

/** Where the buyer goes: the hosted page, or the one of the bank; the port is known when it listens. */
export const pagePath = ({ status, token }: Pick<SimulatedPayment, 'status' | 'token'>): string =>
  `/${status === 'challenge' ? 'challenge' : 'pay'}/${token}`;

export const paymentJson = (
  payment: SimulatedPayment,
  baseUrl?: string,
  kept?: SimulatedCard,
): Record<string, unknown> => ({
  nonce: payment.nonce,
  reference: payment.reference,
  token: payment.token,
  ...(baseUrl === undefined ? {} : { page_url: `${baseUrl}${pagePath(payment)}` }),
  status: payment.status,
  amount_minor: payment.amountMinor,
  captured_minor: payment.capturedMinor,
  refunded_minor: payment.refundedMinor,
  currency: payment.currency,
  sequence: payment.sequence,
  ...(payment.code === undefined ? {} : { code: payment.code }),
  ...(payment.brand === undefined ? {} : { brand: payment.brand, last4: payment.last4 }),
  ...(kept === undefined ? {} : { saved_card: cardJson(kept) }),
});

const cardJson = ({ token, customer, brand, last4, expiryMonth }: SimulatedCard): object => ({
  token,
  customer,
  brand,
  last4,
  expiry_month: expiryMonth,
});

/** A challenge is on the page. `card` is there while it may be charged. */
export const cardPageJson = (
  page: SimulatedCardPage,
  baseUrl: string,
  card?: SimulatedCard,
): Record<string, unknown> => ({
  nonce: page.nonce,
  reference: page.reference,
  token: page.token,
  page_url: `${baseUrl}/card/${page.token}`,
  status: page.status === 'challenge' ? 'open' : page.status,
  ...(card === undefined || card.deletedMs !== undefined ? {} : { card: cardJson(card) }),
});

export const refundJson = (refund: SimulatedRefund): Record<string, unknown> => ({
  nonce: refund.nonce,
  reference: refund.reference,
  payment_nonce: refund.paymentNonce,
  status: refund.status,
  amount_minor: refund.amountMinor,
  currency: refund.currency,
  ...(refund.code === undefined ? {} : { code: refund.code }),
});

export const payoutJson = (payout: SimulatedPayout): Record<string, unknown> => ({
  nonce: payout.nonce,
  reference: payout.reference,
  account: payout.account,
  status: payout.status,
  amount_minor: payout.amountMinor,
  currency: payout.currency,
  ...(payout.code === undefined ? {} : { code: payout.code }),
});
