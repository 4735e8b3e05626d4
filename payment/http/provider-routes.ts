import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import { getPaymentReturn } from '#schemas/http/payment-return.js';
import { postReview } from '#schemas/http/payments.js';
import { postProviderWebhook, postPspWebhook } from '#schemas/http/psp-webhooks.js';
import { getPaymentReviews } from '#schemas/http/reviews.js';
import { orderIdOfPage } from '../card-pages/store-page.js';
import { orderIdOfToken, readOrder } from '../orders/order.js';
import { viewOrder } from '../orders/payment-view.js';
import { listReviews, reviewOrder } from '../orders/review-order.js';
import type { PaymentService } from '../payment-service.js';
import { ownName } from '../psp/https-psp.js';
import type { WebhookRequest } from '../psp/psp-event.js';
import { receiveWebhook } from '../webhooks/receive-webhook.js';
import { catchUnavailable } from './catch-unavailable.js';
import * as messages from './messages.js';
import { paymentProblems } from './payment-problems.js';

const pageDefault = 50;

/** Money depends on it, and the provider would only repeat it. */
const vital = { priority: 'vital' } as const;

function receive(
  service: PaymentService,
  provider: string,
  request: { readonly body: Uint8Array; header(name: string): string | undefined },
): Promise<HttpAnswer> {
  // The bytes are lent until the first await.
  const body = Buffer.from(request.body).toString('utf8');
  return catchUnavailable(async () => {
    const psp = service.webhooks.providers.of(provider);
    if (psp === undefined) return problem(problems.notFound, messages.noProvider);
    const read: WebhookRequest = { header: (name) => request.header(name), body };
    const outcome = await receiveWebhook(service.webhooks, psp, read);
    switch (outcome.outcome) {
      case 'refused':
        return problem(paymentProblems.forgedWebhook, outcome.reason);
      case 'malformed':
        return problem(problems.malformed, outcome.reason);
      case 'too early':
        return problem(problems.unavailable, outcome.reason);
      case 'foreign':
        return problem(paymentProblems.otherProvider);
      case 'recorded':
      case 'repeated':
        return { status: 204 };
    }
  });
}

/** Requests from providers, by webhook and by the buyer's browser, and from reviewers. */
export const providerRoutes = (service: PaymentService): readonly Route[] => [
  route(postPspWebhook, (request) => receive(service, ownName, request), vital),
  route(postProviderWebhook, (request) => receive(service, request.params.provider, request), vital),
  route(getPaymentReturn, ({ query }) =>
    catchUnavailable(async () => {
      const ofOrder = await orderIdOfToken(service.sql, query.tokenID);
      const id = ofOrder ?? (await orderIdOfPage(service.sql, query.tokenID));
      if (id === undefined) return problem(problems.notFound, messages.noToken);
      // The buyer has returned, so the state may have changed. We query now, unless the last query is too
      // recent.
      if (ofOrder === undefined) await service.askPage(id);
      else await service.askNow(id);
      const order = (await readOrder(service.sql, id))!;
      return {
        status: 200,
        body: { payment_order_id: id, payment_order_status: order.status, is_final: order.isFinal },
        headers: { 'cache-control': 'no-store' },
      };
    }),
  ),
  route(getPaymentReviews, ({ query }) =>
    catchUnavailable(async () => {
      const waiting = await listReviews(service.sql, query.limit ?? pageDefault);
      const reviews = waiting.map((order) => ({
        payment_order_id: order.paymentOrderId,
        buyer_account: order.buyerAccount,
        seller_account: order.sellerAccount,
        amount: order.amount,
        currency: order.currency,
        submitted_by: order.caller,
        reason: order.reason,
        created_at: order.createdAt.toISOString(),
        proposed_by: order.proposedBy ?? null,
      }));
      return { status: 200, body: { reviews } };
    }),
  ),
  route(postReview, ({ params, body, identity }) =>
    catchUnavailable(async () => {
      const { payment_order_id: id } = params;
      const { nowMs, settings } = service.submit;
      const review = { ...body, paymentOrderId: id, staffId: identity.userId };
      const outcome = await reviewOrder(service.sql, review, nowMs(), settings);
      if (outcome === 'unknown order') return problem(problems.notFound, messages.noOrder);
      if (outcome === 'not in review') return problem(paymentProblems.notReviewed);
      if (outcome === 'same_person') return problem(paymentProblems.samePerson);
      await service.askPage(id);
      if (outcome === 'awaiting_second') return { status: 202, body: (await viewOrder(service.sql, id))! };
      service.wake();
      return { status: 200, body: (await viewOrder(service.sql, id))! };
    }),
  ),
];
