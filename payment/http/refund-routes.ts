import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import { getRefund, postRefund } from '#schemas/http/payments.js';
import { fingerprintOf, parseIdempotencyKey } from '../orders/idempotency-key.js';
import { refundJson } from '../orders/payment-view.js';
import { readRefund } from '../orders/refund.js';
import { type RefundOutcome, requestRefund } from '../orders/request-refund.js';
import type { PaymentService } from '../payment-service.js';
import { paymentProblems } from './payment-problems.js';
import { maySee, refuseCardNumbers } from './payment-routes.js';
import { whenAway } from './when-away.js';

export const refundRoutes = (service: PaymentService): readonly Route[] => [
  route(postRefund, (received) =>
    whenAway(async () => {
      const { params, body, identity } = received;
      const header = received.header('idempotency-key');
      const refusal = refuseCardNumbers(body, header);
      if (refusal !== undefined) return refusal;
      const key = parseIdempotencyKey(header);
      if (key === undefined) return problem(paymentProblems.keyMissing);
      const { payment_order_id: paymentOrderId } = params;
      if (!(await maySee(service, identity, paymentOrderId)))
        return problem(problems.notFound, 'No such payment order.');
      const request = {
        caller: identity.userId,
        key,
        fingerprint: fingerprintOf({ paymentOrderId, ...body }),
        paymentOrderId,
        refundId: body.refund_id,
        amount: body.amount,
        reason: body.reason ?? '',
      };
      return answer(service, await requestRefund(service.sql, request, service.submit.nowMs()));
    }),
  ),
  route(getRefund, ({ params, identity }) =>
    whenAway(async () => {
      const refund = await readRefund(service.sql, params.refund_id);
      const theirs = refund?.paymentOrderId === params.payment_order_id;
      if (refund === undefined || !theirs || !(await maySee(service, identity, params.payment_order_id)))
        return problem(problems.notFound, 'No such refund.');
      return { status: 200, body: refundJson(refund) };
    }),
  ),
];

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
      return problem(paymentProblems.idTaken, 'The refund_id was used before.');
    case 'not refundable':
      return problem(paymentProblems.notRefundable);
    case 'unknown order':
      return problem(problems.notFound, 'No such payment order.');
    case 'invalid':
      return problem(problems.invalid, 'Fields of the body are wrong.', {
        errors: [{ pointer: '/amount', message: outcome.reason }],
      });
    case 'above captured':
      return problem(paymentProblems.aboveCaptured, `${outcome.left} can still be given back.`);
  }
}
