import type { HttpsReply, PinnedHttps } from './pinned-https.js';
import type { Psp, PspOrder } from './psp.js';
import { readPayment, readRefund } from './read-answer.js';

const one = (nonce: string): string => encodeURIComponent(nonce);

/** What the two styles share: everything except how a payment starts. */
function httpsPsp(
  https: PinnedHttps,
  style: Psp['style'],
  begin: (order: PspOrder, how: object) => Promise<HttpsReply>,
): Psp {
  return {
    style,
    begin: async (order) => readPayment(await begin(order, {}), order.nonce),
    authorize: async (order) => readPayment(await begin(order, { capture: 'manual' }), order.nonce),
    capture: async (nonce, amountMinor) => {
      const body = { amount_minor: amountMinor.toString() };
      return readPayment(await https.call('POST', `/v1/payments/${one(nonce)}/capture`, body), nonce);
    },
    query: async (nonce) => readPayment(await https.call('GET', `/v1/payments/${one(nonce)}`), nonce),
    cancel: async (nonce) =>
      readPayment(await https.call('POST', `/v1/payments/${one(nonce)}/void`, {}), nonce),
    refund: async ({ nonce, paymentNonce, amountMinor, currency }) =>
      readRefund(
        await https.call('POST', '/v1/refunds', {
          nonce,
          payment_nonce: paymentNonce,
          amount_minor: amountMinor.toString(),
          currency,
        }),
        nonce,
      ),
    queryRefund: async (nonce) => readRefund(await https.call('GET', `/v1/refunds/${one(nonce)}`), nonce),
    close: () => https.close(),
  };
}

const money = ({ nonce, amountMinor, currency }: PspOrder): object => ({
  nonce,
  amount_minor: amountMinor.toString(),
  currency,
});

/**
 * The buyer pays on a page of the provider, found by the token of the registration. We never receive card
 * data.
 */
export const hostedPagePsp = (
  https: PinnedHttps,
  urls: { readonly success: string; readonly failure: string },
): Psp =>
  httpsPsp(https, 'hosted', (order, how) =>
    https.call('POST', '/v1/registrations', {
      ...how,
      ...money(order),
      expires_at: new Date(order.expiresMs).toISOString(),
      success_url: urls.success,
      failure_url: urls.failure,
    }),
  );

/**
 * We charge a card that the provider keeps under a token; the card itself was typed into the provider's own
 * fields.
 */
export const directPsp = (https: PinnedHttps): Psp =>
  httpsPsp(https, 'direct', (order, how) =>
    https.call('POST', '/v1/charges', {
      ...how,
      ...money(order),
      expires_at: new Date(order.expiresMs).toISOString(),
      card_token: order.cardToken ?? '',
    }),
  );
