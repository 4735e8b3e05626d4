import { type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import { postCancellation } from '#schemas/http/payments.js';
import { cancelOrder } from '../orders/cancel-order.js';
import { viewOrder } from '../orders/payment-view.js';
import type { PaymentService } from '../payment-service.js';
import { catchUnavailable } from './catch-unavailable.js';
import * as messages from './messages.js';
import { paymentProblems } from './payment-problems.js';
import { maySee } from './payment-routes.js';

/** The caller that submitted a payment order cancels it while it is not paid. */
export const cancelRoutes = (service: PaymentService): readonly Route[] => [
  route(postCancellation, ({ params, identity }) =>
    catchUnavailable(async () => {
      const { payment_order_id: id } = params;
      if (!(await maySee(service, identity, id))) return problem(problems.notFound, messages.noOrder);
      const outcome = await cancelOrder(service.sql, id, service.submit.nowMs());
      switch (outcome.kind) {
        case 'refused':
          return problem(paymentProblems.notCancellable, messages.notCancelled[outcome.because]);
        case 'followed':
          return problem(paymentProblems.notCancellable, messages.followedBy(outcome.by));
        case 'accepted':
          service.wake();
          return { status: 202, body: (await viewOrder(service.sql, id))! };
        case 'repeated':
          return { status: 200, body: (await viewOrder(service.sql, id))! };
      }
    }),
  ),
];
