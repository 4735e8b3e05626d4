import { setTimeout as delay } from 'node:timers/promises';
import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { hasAnyScope, type Identity } from '#platform/http/identity.js';
import { problem, problems } from '#platform/http/problem.js';
import { getPayment, type PaymentEvent, postPayment } from '#schemas/http/payments.js';
import { fingerprintOf, parseIdempotencyKey } from '../orders/idempotency-key.js';
import { type Order, readOrder } from '../orders/order.js';
import { viewOfNew, viewOrder } from '../orders/payment-view.js';
import { markAnswered, type SubmitOutcome, submitPayment } from '../orders/submit-payment.js';
import type { PaymentService } from '../payment-service.js';
import { catchUnavailable } from './catch-unavailable.js';
import * as messages from './messages.js';
import { parsePayment } from './parse-payment.js';
import { paymentProblems } from './payment-problems.js';
import { SellerRates } from './seller-rates.js';

export const paymentRoutes = (service: PaymentService): readonly Route[] => {
  const rates = new SellerRates(service.submit.settings, service.submit.nowMs);
  return [postRoute(service, rates), getRoute(service)];
};

const postRoute = (service: PaymentService, rates: SellerRates): Route =>
  route(postPayment, (request) =>
    catchUnavailable(async () => {
      const { body, identity } = request;
      const key = parseIdempotencyKey(request.header('idempotency-key'));
      if (key === undefined) return problem(paymentProblems.keyMissing);
      const parsed = parsePayment(body);
      if (!parsed.ok) return problem(problems.invalid, messages.badFields, { errors: parsed.errors });
      const buyerAccount = buyerAccountOf(identity, body.buyer_info.account);
      if (buyerAccount === undefined)
        return problem(problems.invalid, messages.badFields, {
          errors: [
            {
              pointer: '/buyer_info/account',
              message: messages.accountRequired,
            },
          ],
        });
      const busy = rates.refusal(
        identity.userId,
        parsed.event.orders.map(({ sellerAccount }) => sellerAccount),
      );
      if (busy !== undefined) return busy;
      const outcome = await submitPayment(service.submit, {
        ...parsed.event,
        caller: identity.userId,
        key,
        fingerprint: fingerprintOf(body),
        buyerAccount,
      });
      return answer(service, identity.userId, key, body.checkout_id, outcome);
    }),
  );

const getRoute = (service: PaymentService): Route =>
  route(getPayment, ({ params, identity }) =>
    catchUnavailable(async () => {
      const { payment_order_id: id } = params;
      if (!(await maySee(service, identity, id))) return problem(problems.notFound, messages.noOrder);
      return { status: 200, body: (await viewOrder(service.sql, id))! };
    }),
  );

/** Staff of single hotels see no payments: an order does not say which hotel it is for. */
export const isStaff = (identity: Identity): boolean =>
  hasAnyScope(identity, ['finance']) ||
  (hasAnyScope(identity, ['desk']) && identity.properties === undefined);

/**
 * Staff see every payment order, other callers only their own. Orders of other callers are answered with 404.
 */
export async function maySee(service: PaymentService, identity: Identity, id: string): Promise<boolean> {
  const order = await readOrder(service.sql, id);
  return order !== undefined && (order.caller === identity.userId || isStaff(identity));
}

function buyerAccountOf(identity: Identity, account: string | undefined): string | undefined {
  if (!hasAnyScope(identity, ['service'])) return identity.userId;
  return account !== undefined && /[A-Za-z0-9]/.test(account) ? account : undefined;
}

async function answer(
  service: PaymentService,
  caller: string,
  key: string,
  checkoutId: string,
  outcome: SubmitOutcome,
): Promise<HttpAnswer> {
  switch (outcome.outcome) {
    case 'taken':
      return problem(paymentProblems.idTaken, messages.idUsed(outcome.what));
    case 'no such card':
      return problem(paymentProblems.savedCardUnusable);
    case 'too many cards':
      return problem(
        paymentProblems.tooManyCards,
        messages.tooManyCards(service.submit.settings.savedCards.keptMax),
      );
    case 'replayed': {
      const { nowMs, settings } = service.submit;
      if (outcome.mismatch && settings.strictIdempotency) return problem(paymentProblems.keyReused);
      const body = (await service.view(outcome.checkoutId))!;
      const young = nowMs() - outcome.createdMs < settings.keyRunningMs;
      if (!outcome.answered && young && !isBegun(body))
        return problem(paymentProblems.stillRunning, undefined, { retryAfterS: settings.runningRetryAfterS });
      const mismatch = outcome.mismatch ? { 'idempotency-mismatch': 'true' } : {};
      return { status: 200, body, headers: { 'idempotent-replayed': 'true', ...mismatch } };
    }
    case 'accepted': {
      const event = await begun(service, checkoutId, outcome.orders);
      // A started event is answered from what is stored, for every caller; only the others must be
      // distinguished from those in progress.
      if (!isBegun(event)) await markAnswered(service.sql, caller, key, service.submit.nowMs());
      const waits = !isBegun(event) || event.payment_orders.some(({ pending }) => pending === 'review');
      return { status: waits ? 202 : 201, body: event };
    }
  }
}

/** Executes the orders, or opens their page, immediately and waits for the provider for a limited time. */
async function begun(
  service: PaymentService,
  checkoutId: string,
  orders: readonly Order[],
): Promise<PaymentEvent> {
  const { answerWaitMs, answerLookMs } = service.submit.settings;
  const untilMs = performance.now() + answerWaitMs;
  const isOnePage = orders.some(({ pageId }) => pageId !== undefined);
  if (isOnePage) service.wakePages();
  const known = isOnePage
    ? undefined
    : await within(answerWaitMs, Promise.all(orders.map((order) => service.begin(order))));
  if (known?.every((order) => order !== undefined) === true) return viewOfNew(known);
  // The background job or a webhook may have changed the order already; then we return their result.
  for (;;) {
    const event = (await service.view(checkoutId))!;
    if (isBegun(event) || performance.now() > untilMs) return event;
    await delay(answerLookMs);
  }
}

async function within<Result>(ms: number, work: Promise<Result>): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/**
 * The provider has answered for every order that was sent to it; an order that waits for a person was not
 * sent.
 */
function isBegun({ payment_orders: orders }: PaymentEvent): boolean {
  return orders.every(
    ({ payment_order_status: status, pending, payment_page_url: page }) =>
      status === 'SUCCESS' ||
      status === 'FAILED' ||
      pending === 'review' ||
      (pending === 'buyer' && page !== null) ||
      (status === 'EXECUTING' && pending !== 'unknown'),
  );
}
