import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import { postCapture, postVoid } from '#schemas/http/captures.js';
import { viewOrder } from '../orders/payment-view.js';
import { requestCapture, requestVoid } from '../orders/request-capture.js';
import type { PaymentService } from '../payment-service.js';
import { catchUnavailable } from './catch-unavailable.js';
import * as messages from './messages.js';
import { paymentProblems } from './payment-problems.js';
import { maySee } from './payment-routes.js';

/** The service that submitted a payment captures or voids it. */
export const captureRoutes = (service: PaymentService): readonly Route[] => [
  route(postCapture, ({ params, body, identity }) =>
    catchUnavailable(async () => {
      const { payment_order_id: paymentOrderId } = params;
      if (!(await maySee(service, identity, paymentOrderId)))
        return problem(problems.notFound, messages.noOrder);
      const request = { paymentOrderId, amount: body.amount, who: identity.userId };
      const outcome = await requestCapture(service.sql, request, service.submit.nowMs());
      switch (outcome.kind) {
        case 'accepted':
        case 'repeated':
          return requested(service, paymentOrderId, outcome.kind);
        case 'not authorized':
          return problem(paymentProblems.notAuthorized);
        case 'requested otherwise':
          return problem(paymentProblems.notAuthorized, messages.capturedOtherwise);
        case 'invalid':
          return problem(problems.invalid, messages.badFields, {
            errors: [{ pointer: '/amount', message: outcome.reason }],
          });
        case 'above authorized':
          return problem(paymentProblems.aboveAuthorized, messages.authorized(outcome.authorized));
      }
    }),
  ),
  route(postVoid, ({ params, identity }) =>
    catchUnavailable(async () => {
      const { payment_order_id: paymentOrderId } = params;
      if (!(await maySee(service, identity, paymentOrderId)))
        return problem(problems.notFound, messages.noOrder);
      const request = { paymentOrderId, who: identity.userId };
      const outcome = await requestVoid(service.sql, request, service.submit.nowMs());
      if (outcome === 'not authorized') return problem(paymentProblems.notAuthorized);
      return requested(service, paymentOrderId, outcome);
    }),
  ),
];

async function requested(
  service: PaymentService,
  id: string,
  outcome: 'accepted' | 'repeated',
): Promise<HttpAnswer> {
  if (outcome === 'accepted') service.wake();
  return { status: outcome === 'accepted' ? 202 : 200, body: (await viewOrder(service.sql, id))! };
}
