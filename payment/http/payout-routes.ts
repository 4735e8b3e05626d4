import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import {
  getPayout,
  getPayouts,
  type Payout as PayoutBody,
  postPayout,
  postPayoutReview,
} from '#schemas/http/payouts.js';
import { formatMoney, parseMoney } from '../money/money.js';
import { fingerprintOf, parseIdempotencyKey } from '../orders/idempotency-key.js';
import type { PaymentService } from '../payment-service.js';
import { listPayouts, type Payout, payoutOf } from '../payouts/payout.js';
import { type PayoutRequested, requestPayout } from '../payouts/request-payout.js';
import { reviewPayout } from '../payouts/review-payout.js';
import { catchUnavailable } from './catch-unavailable.js';
import * as messages from './messages.js';
import { paymentProblems } from './payment-problems.js';
import { reviewJson, reviewRefused } from './second-review.js';

const pageDefault = 50;

/**
 * Sellers are paid by the monthly run, or manually when one person with the scope `payouts` requests it and
 * another one with `finance` approves.
 */
export const payoutRoutes = (service: PaymentService): readonly Route[] => [
  route(postPayout, (received) =>
    catchUnavailable(async () => {
      const { body, identity } = received;
      const key = parseIdempotencyKey(received.header('idempotency-key'));
      if (key === undefined) return problem(paymentProblems.keyMissing);
      const parsed = parseMoney(body.amount, body.currency);
      if (parsed.kind === 'refused')
        return problem(problems.invalid, messages.badFields, {
          errors: [{ pointer: `/${parsed.field}`, message: parsed.reason }],
        });
      const outcome = await requestPayout(service.sql, {
        caller: identity.userId,
        key,
        fingerprint: fingerprintOf(body),
        payoutId: body.payout_id,
        sellerAccount: body.seller_info.account,
        amount: parsed.money,
        reason: body.reason ?? '',
        now: new Date(service.submit.nowMs()),
      });
      return answer(service, outcome);
    }),
  ),
  route(postPayoutReview, ({ params, body, identity }) =>
    catchUnavailable(async () => {
      const now = new Date(service.submit.nowMs());
      const review = { ...body, payoutId: params.payout_id, staffId: identity.userId, now };
      const outcome = await reviewPayout(service.sql, review);
      if (outcome.kind !== 'reviewed') return reviewRefused(outcome.kind, messages.noPayout);
      service.wake();
      return { status: 200, body: payoutJson(outcome.payout) };
    }),
  ),
  route(getPayouts, ({ query }) =>
    catchUnavailable(async () => {
      const limit = query.limit ?? pageDefault;
      const page = await listPayouts(service.sql, {
        limit,
        ...(query.after === undefined ? {} : { after: query.after }),
        ...(query.status === undefined ? {} : { state: query.status }),
      });
      const next = page.length < limit ? null : page.at(-1)!.payoutId;
      return { status: 200, body: { payouts: page.map(payoutJson), next } };
    }),
  ),
  route(getPayout, ({ params }) =>
    catchUnavailable(async () => {
      const payout = await payoutOf(service.sql, params.payout_id);
      if (payout === undefined) return problem(problems.notFound, messages.noPayout);
      return { status: 200, body: payoutJson(payout) };
    }),
  ),
];

function answer(service: PaymentService, outcome: PayoutRequested): HttpAnswer {
  switch (outcome.kind) {
    case 'accepted':
      return { status: 202, body: payoutJson(outcome.payout) };
    case 'replayed': {
      if (outcome.mismatch && service.submit.settings.strictIdempotency)
        return problem(paymentProblems.keyReused);
      const mismatch = outcome.mismatch ? { 'idempotency-mismatch': 'true' } : {};
      const headers = { 'idempotent-replayed': 'true', ...mismatch };
      return { status: 200, body: payoutJson(outcome.payout), headers };
    }
    case 'conflict':
      return problem(paymentProblems.idTaken, messages.idUsed('payout_id'));
    case 'insufficient':
      return problem(paymentProblems.aboveBalance);
  }
}

/** A payout as people of finance see it. */
export function payoutJson(payout: Payout): PayoutBody {
  const { amount } = payout;
  return {
    payout_id: payout.payoutId,
    seller_account: payout.sellerAccount,
    amount: formatMoney(amount),
    currency: amount.currency,
    period: payout.period,
    payout_status: payout.state,
    provider_reference: payout.providerReference ?? null,
    failure: payout.failure ?? null,
    attempts: payout.attempts,
    requested_by: payout.requestedBy,
    reason: payout.reason,
    ...reviewJson(payout.review),
    created_at: payout.createdAt.toISOString(),
    updated_at: payout.changedAt.toISOString(),
  };
}
