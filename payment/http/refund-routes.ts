import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import { getRefund, postRefund } from '#schemas/http/payments.js';
import { getRefundReviews, postRefundReview } from '#schemas/http/reviews.js';
import { fingerprintOf, parseIdempotencyKey } from '../orders/idempotency-key.js';
import { refundJson } from '../orders/payment-view.js';
import { listRefundReviews, readRefund } from '../orders/refund.js';
import { type RefundOutcome, type RefundsAlone, requestRefund } from '../orders/request-refund.js';
import { reviewRefund } from '../orders/review-refund.js';
import type { PaymentService } from '../payment-service.js';
import type { PaymentSettings } from '../settings/settings.js';
import { catchUnavailable } from './catch-unavailable.js';
import * as messages from './messages.js';
import { paymentProblems } from './payment-problems.js';
import { isStaff, maySee } from './payment-routes.js';
import { reviewRefused } from './second-review.js';

const pageDefault = 50;

export const refundRoutes = (service: PaymentService): readonly Route[] => [
  route(postRefund, (received) =>
    catchUnavailable(async () => {
      const { params, body, identity } = received;
      const key = parseIdempotencyKey(received.header('idempotency-key'));
      if (key === undefined) return problem(paymentProblems.keyMissing);
      const { payment_order_id: paymentOrderId } = params;
      if (!(await maySee(service, identity, paymentOrderId)))
        return problem(problems.notFound, messages.noOrder);
      const request = {
        caller: identity.userId,
        key,
        fingerprint: fingerprintOf({ paymentOrderId, ...body }),
        paymentOrderId,
        refundId: body.refund_id,
        amount: body.amount,
        reason: body.reason ?? '',
        // A service can refund its own payments; staff can refund all payments.
        ...(isStaff(identity) ? { alone: aloneOf(service.submit.settings) } : {}),
      };
      return answer(service, await requestRefund(service.sql, request, service.submit.nowMs()));
    }),
  ),
  route(postRefundReview, ({ params, body, identity }) =>
    catchUnavailable(async () => {
      const { payment_order_id: paymentOrderId, refund_id: refundId } = params;
      const review = { ...body, paymentOrderId, refundId, staffId: identity.userId };
      const outcome = await reviewRefund(service.sql, review, service.submit.nowMs());
      if (outcome.kind !== 'reviewed') return reviewRefused(outcome.kind, messages.noRefund);
      service.wake();
      return { status: 200, body: refundJson(outcome.refund) };
    }),
  ),
  route(getRefundReviews, ({ query }) =>
    catchUnavailable(async () => {
      const waiting = await listRefundReviews(service.sql, query.limit ?? pageDefault);
      const refunds = waiting.map((refund) => ({ ...refundJson(refund), requested_by: refund.requestedBy }));
      return { status: 200, body: { refunds } };
    }),
  ),
  route(getRefund, ({ params, identity }) =>
    catchUnavailable(async () => {
      const refund = await readRefund(service.sql, params.refund_id);
      const theirs = refund?.paymentOrderId === params.payment_order_id;
      if (refund === undefined || !theirs || !(await maySee(service, identity, params.payment_order_id)))
        return problem(problems.notFound, messages.noRefund);
      return { status: 200, body: refundJson(refund) };
    }),
  ),
];

const aloneOf = (settings: PaymentSettings): RefundsAlone => ({
  ofOrderMinor: settings.refundSecondPersonAboveMinor,
  inADayMinor: settings.refundsAloneInADayMinor,
});

function answer(service: PaymentService, outcome: RefundOutcome): HttpAnswer {
  switch (outcome.outcome) {
    case 'accepted':
      service.wake();
      return { status: 202, body: refundJson(outcome.refund) };
    case 'replayed': {
      if (outcome.mismatch && service.submit.settings.strictIdempotency)
        return problem(paymentProblems.keyReused);
      const mismatch = outcome.mismatch ? { 'idempotency-mismatch': 'true' } : {};
      const headers = { 'idempotent-replayed': 'true', ...mismatch };
      return { status: 200, body: refundJson(outcome.refund), headers };
    }
    case 'taken':
      return problem(paymentProblems.idTaken, messages.idUsed('refund_id'));
    case 'not refundable':
      return problem(paymentProblems.notRefundable);
    case 'unknown order':
      return problem(problems.notFound, messages.noOrder);
    case 'invalid':
      return problem(problems.invalid, messages.badFields, {
        errors: [{ pointer: '/amount', message: outcome.reason }],
      });
    case 'above captured':
      return problem(paymentProblems.aboveCaptured, messages.refundable(outcome.left));
  }
}
