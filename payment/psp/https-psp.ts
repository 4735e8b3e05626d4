import { cardFields, deleteOwnCard, ownKeptCard } from './own-card.js';
import { closeOwnCardPage, openOwnCardPage, ownCardPage } from './own-card-page.js';
import { answerOwnDispute } from './own-dispute.js';
import type { HttpsReply, PinnedHttps } from './pinned-https.js';
import type { Psp, PspOrder } from './psp.js';
import { readPayment, readRefund } from './read-answer.js';
import type { ReturnUrls } from './return-urls.js';
import { readStandardWebhook } from './standard-webhook.js';

const one = (nonce: string): string => encodeURIComponent(nonce);

/** The name of this provider with the orders that are sent to it. */
export const ownName = 'psp';

/** What the two styles share: everything except how a payment starts. */
function httpsPsp(
  https: PinnedHttps,
  style: Psp['style'],
  secrets: readonly string[],
  urls: ReturnUrls,
  begin: (order: PspOrder) => Promise<HttpsReply>,
): Psp {
  return {
    name: ownName,
    style,
    takes: () => true,
    begin: async (order) => readPayment(await begin(order), order.nonce),
    capture: async ({ nonce }, amountMinor) => {
      const body = { amount_minor: amountMinor.toString() };
      return readPayment(await https.call('POST', `/v1/payments/${one(nonce)}/capture`, body), nonce);
    },
    query: async ({ nonce }) => readPayment(await https.call('GET', `/v1/payments/${one(nonce)}`), nonce),
    cancel: async ({ nonce }) =>
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
    answerDispute: (answer) => answerOwnDispute(https, answer),
    keptCard: (order) => ownKeptCard(https, order),
    deleteCard: (card) => deleteOwnCard(https, card),
    openCardPage: (order) => openOwnCardPage(https, order, urls),
    cardPage: (order) => ownCardPage(https, order),
    closeCardPage: (order) => closeOwnCardPage(https, order),
    webhook: async (request, nowMs, toleranceMs) => readStandardWebhook(request, secrets, nowMs, toleranceMs),
    close: () => https.close(),
  };
}

const money = ({ nonce, amountMinor, currency }: PspOrder): object => ({
  nonce,
  amount_minor: amountMinor.toString(),
  currency,
});

const pageOf = ({ expiresMs }: PspOrder, { success, failure }: ReturnUrls): object => ({
  expires_at: new Date(expiresMs).toISOString(),
  success_url: success,
  failure_url: failure,
});

const charge = (https: PinnedHttps, order: PspOrder, urls: ReturnUrls): Promise<HttpsReply> =>
  https.call('POST', '/v1/charges', {
    ...money(order),
    ...pageOf(order, urls),
    ...(order.manual === true && { capture: 'manual' }),
    ...cardFields(order),
  });

const register = (https: PinnedHttps, order: PspOrder, urls: ReturnUrls): Promise<HttpsReply> =>
  https.call('POST', '/v1/registrations', {
    ...money(order),
    ...pageOf(order, urls),
    ...(order.manual === true && { capture: 'manual' }),
    ...(order.keepCard === true && { save_card: true }),
  });

/**
 * The buyer pays on a page of the provider, found by the token of the registration. We never receive card
 * data. A card that the provider keeps is charged without the page. `secrets` sign its webhooks.
 */
export const hostedPagePsp = (https: PinnedHttps, urls: ReturnUrls, secrets: readonly string[]): Psp =>
  httpsPsp(https, 'hosted', secrets, urls, (order) =>
    order.savedCard === undefined ? register(https, order, urls) : charge(https, order, urls),
  );

/**
 * We charge a card that the provider keeps under a token; the card itself was typed into the provider's own
 * fields. A bank may challenge the buyer on a page of its own. Without a card, as in the place of another
 * order, the buyer pays on a page.
 */
export const directPsp = (https: PinnedHttps, urls: ReturnUrls, secrets: readonly string[]): Psp =>
  httpsPsp(https, 'direct', secrets, urls, (order) =>
    order.cardToken === undefined && order.savedCard === undefined
      ? register(https, order, urls)
      : charge(https, order, urls),
  );
