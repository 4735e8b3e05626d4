import { type Static, Type } from 'typebox';
import { MerchantPayment, pageLimit, paymentSearch } from './merchants.js';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';

const OrNull = <S extends ReturnType<typeof Type.String>>(schema: S) => Type.Union([schema, Type.Null()]);
const reading = { method: 'GET', listener: 'internal', tag: 'finance', scopes: ['finance'] } as const;

const Payment = Type.Object({
  ...MerchantPayment.properties,
  seller_account: Type.String(),
});
export type FinancePaymentBody = Static<typeof Payment>;

export const getFinancePayments = {
  ...reading,
  operationId: 'getFinancePayments',
  path: '/v1/finance/payments',
  summary: 'Payments of all sellers, newest first, with filters',
  description:
    'All filters must match; `id` is used alone. Continue with `after=<next>`. At most 5,000 payments are ' +
    'looked at for `status`, `currency`, amounts and, without `seller_account`, for `buyer_account`, so a ' +
    'page may have fewer than `limit`.',
  query: Type.Object({
    ...paymentSearch,
    id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description:
          'Of a payment order, checkout, refund or dispute; the token or reference of the provider, or the ' +
          'id of its webhook. Or the subject of an entry of the ledger: `finding-<finding_no>`, a payout to a seller, ' +
          'a payout of the provider, `settlement-<file_no>`. The newest 200 payments behind it are found. ' +
          'Not a part of an id.',
      }),
    ),
    limit: pageLimit,
  }),
  responses: {
    200: {
      description: 'One page.',
      schema: Type.Object({ payments: Type.Array(Payment), next: OrNull(Type.String()) }),
    },
  },
} as const satisfies RouteContract;

/** What happened to a payment: one word for each kind of entry. */
export const timelineKinds = [
  'created',
  'status',
  'webhook_received',
  'risk_check',
  'refund_requested',
  'refund_reviewed',
  'refund_ended',
  'dispute_opened',
  'dispute_answered',
  'dispute_missed',
  'dispute_closed',
  'posted',
  'mismatch_found',
  'mismatch_decided',
  'mismatch_approved',
  'given_up',
  'retried',
] as const;
export type TimelineKind = (typeof timelineKinds)[number];

const TimelineEntry = Type.Object({
  at: Type.String({ description: 'RFC 3339' }),
  kind: oneOf(timelineKinds),
  subject: OrNull(
    Type.String({
      description: 'The refund, dispute, mismatch or operation of the ledger that the entry is about.',
    }),
  ),
  state: OrNull(Type.String({ description: 'What it became: a status, a decision, an outcome.' })),
  detail: OrNull(Type.String({ description: 'The cause, the reason that a person gave, or the failure.' })),
  who: OrNull(Type.String({ description: 'The person, caller or part of the system; null for the ledger.' })),
  amount: OrNull(Type.String()),
  currency: OrNull(Type.String()),
  debit: OrNull(Type.String({ description: 'The ledger account that a posting debits.' })),
  credit: OrNull(Type.String()),
});
export type TimelineEntryBody = Static<typeof TimelineEntry>;

const PaymentWithTimeline = Type.Object({
  payment: Payment,
  provider: OrNull(Type.String({ description: 'Null while certainly no provider has the payment.' })),
  psp_reference: OrNull(Type.String()),
  timeline: Type.Array(TimelineEntry, {
    description: 'Oldest first. Of an order with more than 1,000 entries the newest 1,000.',
  }),
  has_more: Type.Boolean({ description: 'Older entries were left out.' }),
});
export type PaymentWithTimeline = Static<typeof PaymentWithTimeline>;

export const getFinancePayment = {
  ...reading,
  operationId: 'getFinancePayment',
  path: '/v1/finance/payments/{payment_order_id}',
  summary: 'One payment and everything that happened to it',
  params: Type.Object({ payment_order_id: Type.String({ minLength: 1, maxLength: 64 }) }),
  responses: {
    200: { description: 'Now.', schema: PaymentWithTimeline },
    404: { description: 'No payment order has this id.' },
  },
} as const satisfies RouteContract;

const Account = Type.Object({
  account: Type.String({
    description: 'An account of the ledger; `sellers` is the sum of the accounts of all sellers.',
  }),
  currency: Type.String(),
  type: oneOf(['asset', 'liability', 'revenue', 'expense'] as const),
  balance: Type.String({
    description: 'What an asset holds, what a liability owes; negative for an overdraft.',
  }),
  reserved: Type.String({ description: 'The part that pending transfers reserve.' }),
  accounts: Type.Integer({ description: 'How many accounts are summed.' }),
});
export type FinanceAccountBody = Static<typeof Account>;

export const getFinanceBalances = {
  ...reading,
  operationId: 'getFinanceBalances',
  path: '/v1/finance/balances',
  summary: 'The trial balance: every account of the ledger that is not a seller, and the sum of sellers',
  responses: {
    200: { description: 'Of one moment.', schema: Type.Object({ balances: Type.Array(Account) }) },
  },
} as const satisfies RouteContract;
