import { type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import {
  getSellerFees,
  postSellerFee,
  postSellerFeeReview,
  type SellerFeeBody,
} from '#schemas/http/seller-fees.js';
import { listFees, requestFee, reviewFee, type SellerFee } from '../fees/seller-fee.js';
import { parseCurrency } from '../money/currency.js';
import { formatMoney, parseMoney } from '../money/money.js';
import type { PaymentService } from '../payment-service.js';
import { catchUnavailable } from './catch-unavailable.js';
import * as messages from './messages.js';
import { nextPage, pageOfSellers } from './page-of-sellers.js';
import { paymentProblems } from './payment-problems.js';
import { reviewJson, reviewRefused } from './second-review.js';

const badBody = (pointer: string, message: string) =>
  problem(problems.invalid, messages.badFields, { errors: [{ pointer, message }] });

/** One person of finance asks for the fee of a seller, another one approves it. */
export const sellerFeeRoutes = ({ sql, submit }: PaymentService): readonly Route[] => {
  const now = (): Date => new Date(submit.nowMs());
  return [
    route(postSellerFee, ({ body, identity }) =>
      catchUnavailable(async () => {
        const currency = parseCurrency(body.currency);
        if (currency === undefined) return badBody('/currency', messages.noCurrency);
        const fixed =
          body.fixed_amount === undefined ? undefined : parseMoney(body.fixed_amount, body.currency);
        if (fixed?.kind === 'refused') return badBody('/fixed_amount', fixed.reason);
        const terms = {
          sellerAccount: body.seller_account,
          currency,
          basisPoints: body.basis_points,
          fixedMinor: fixed?.money.minor ?? 0n,
        };
        const by = { who: identity.userId, reason: body.reason, now: now() };
        const outcome = await requestFee(sql, terms, by);
        return outcome === 'one is waiting'
          ? problem(paymentProblems.feeWaiting)
          : { status: 202, body: feeJson(outcome) };
      }),
    ),
    route(postSellerFeeReview, ({ params, body, identity }) =>
      catchUnavailable(async () => {
        const feeNo = BigInt(params.fee_no);
        const outcome = await reviewFee(sql, { ...body, feeNo, who: identity.userId, now: now() });
        if (outcome.kind !== 'decided') return reviewRefused(outcome.kind, messages.noFee);
        return { status: 200, body: feeJson(outcome.fee) };
      }),
    ),
    route(getSellerFees, ({ query, identity }) =>
      catchUnavailable(async () => {
        const page = await pageOfSellers(sql, identity, ['finance'], query);
        const found = await listFees(sql, page);
        const next = nextPage(found, page.limit, ({ feeNo }) => feeNo);
        return { status: 200, body: { fees: found.map(feeJson), next } };
      }),
    ),
  ];
};

const feeJson = (fee: SellerFee): SellerFeeBody => ({
  fee_no: Number(fee.feeNo),
  seller_account: fee.sellerAccount,
  currency: fee.currency,
  basis_points: fee.basisPoints,
  fixed_amount: formatMoney({ minor: fee.fixedMinor, currency: fee.currency }),
  fee_status: fee.state,
  requested_by: fee.requestedBy,
  requested_at: fee.requestedAt.toISOString(),
  reason: fee.reason,
  ...reviewJson(fee.review),
});
