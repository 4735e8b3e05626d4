import { type Static, Type } from 'typebox';
import { byRefund, Refund } from './payments.js';
import type { RouteContract } from './route-contract.js';
import { SecondReview } from './second-review.js';

const Instant = Type.String({ description: 'RFC 3339' });

const PaymentReviews = Type.Object({
  reviews: Type.Array(
    Type.Object({
      payment_order_id: Type.String(),
      buyer_account: Type.String(),
      seller_account: Type.String(),
      amount: Type.String(),
      currency: Type.String(),
      submitted_by: Type.String(),
      reason: Type.String({
        description: 'The reason from the risk check: `many_payments`, `large_amount`, …',
      }),
      created_at: Instant,
      proposed_by: Type.Union([Type.String(), Type.Null()], {
        description: 'Who approved it first. Above a limit another person must approve it, too.',
      }),
    }),
  ),
});
export type PaymentReviews = Static<typeof PaymentReviews>;

export const getPaymentReviews = {
  operationId: 'getPaymentReviews',
  method: 'GET',
  path: '/v1/payment-reviews',
  listener: 'internal',
  tag: 'payments',
  summary: 'Payment orders under review, oldest first',
  scopes: ['desk', 'finance'],
  query: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })) }),
  responses: {
    200: { description: 'The oldest ones. Decided ones leave the list.', schema: PaymentReviews },
  },
} as const satisfies RouteContract;

export const postRefundReview = {
  operationId: 'postRefundReview',
  method: 'POST',
  path: '/v1/payments/{payment_order_id}/refunds/{refund_id}/review',
  listener: 'internal',
  tag: 'payments',
  summary: 'Approve or deny a refund as the second person',
  scopes: ['finance'],
  params: byRefund,
  body: { maxBytes: 4_096, contentTypes: ['application/json'], schema: SecondReview },
  responses: {
    200: { description: 'The decision is recorded.', schema: Refund },
    403: { description: 'The second person must not be the one who requested it.' },
    404: { description: 'The payment order has no refund with this id.' },
    409: { description: 'It is not awaiting a second person.' },
  },
} as const satisfies RouteContract;

const RefundReviews = Type.Object({
  refunds: Type.Array(Type.Intersect([Refund, Type.Object({ requested_by: Type.String() })])),
});
export type RefundReviews = Static<typeof RefundReviews>;

export const getRefundReviews = {
  operationId: 'getRefundReviews',
  method: 'GET',
  path: '/v1/refund-reviews',
  listener: 'internal',
  tag: 'payments',
  summary: 'Refunds awaiting a second person, oldest first',
  scopes: ['desk', 'finance'],
  query: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })) }),
  responses: {
    200: { description: 'The oldest ones. Decided ones leave the list.', schema: RefundReviews },
  },
} as const satisfies RouteContract;

export const reviewContracts: readonly RouteContract[] = [
  getPaymentReviews,
  postRefundReview,
  getRefundReviews,
];
