import { type Static, Type } from 'typebox';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';

const OrNull = <S extends ReturnType<typeof Type.String>>(schema: S) => Type.Union([schema, Type.Null()]);
const Instant = Type.String({ description: 'RFC 3339' });
/** Signed, so unlike the amounts of requests. */
const Amount = (description: string) => Type.String({ description });
const reading = { method: 'GET', listener: 'public', tag: 'merchants', scopes: ['merchant'] } as const;

export const merchantQuery = {
  seller_account: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: '^[A-Za-z0-9 ._/-]+$',
      description: 'One of your seller accounts. Required only if you have several.',
    }),
  ),
};
const currency = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' });
const from = Type.String({ format: 'date-time', description: 'From this moment on. RFC 3339.' });
const to = Type.String({ format: 'date-time', description: 'Before this moment. RFC 3339.' });
export const pageLimit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 200, description: 'Default 50.' }),
);
const paymentId = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9._:-]+$' });
const notYours = { description: 'You have no such seller account, or no such payment.' };

const Balance = Type.Object({
  seller_account: Type.String(),
  currency: Type.String(),
  available: Amount('Can be paid out now. Negative if refunds took more than there was.'),
  pending: Amount('Captured by the provider, not in the ledger yet.'),
  reserved: Amount('Payouts that wait for approval or are on their way.'),
  disputed: Amount("Taken back by buyers' banks while disputes are open."),
});

export const getMerchantBalance = {
  ...reading,
  operationId: 'getMerchantBalance',
  path: '/v1/merchant/balance',
  summary: 'Your balance in each currency',
  description: 'A seller account appears with its first captured payment.',
  query: Type.Object(merchantQuery),
  responses: {
    200: { description: 'Now.', schema: Type.Object({ balances: Type.Array(Balance) }) },
    404: notYours,
  },
} as const satisfies RouteContract;

export const entryKinds = [
  'capture',
  'refund',
  'dispute_lost',
  'fee',
  'settlement',
  'payout',
  'adjustment',
] as const;

const Entry = Type.Object({
  sequence: Type.String({ description: 'Counts the entries of the account, from 1, without a gap.' }),
  at: Instant,
  kind: Type.String({ description: entryKinds.join(', ') }),
  amount: Amount('Signed: a payment is positive, a refund negative. 0 if only a reservation changed.'),
  reserved: Amount('By how much the reserved amount changed.'),
  balance: Amount('After this entry, reserved amounts included.'),
  subject: Type.String({ description: 'The payment order, the payout or the finding.' }),
  operation: Type.String({ description: '`capture`, `refund:<refund_id>`, `send`, …' }),
});
export type MerchantEntryBody = Static<typeof Entry>;

export const getMerchantEntries = {
  ...reading,
  operationId: 'getMerchantEntries',
  path: '/v1/merchant/entries',
  summary: 'Entries of the ledger on your seller account, newest first',
  description:
    'A page may have fewer entries than `limit` while `next` is not null, because at most 5,000 entries ' +
    'are looked at for a `kind`. Continue with `before=<next>`.',
  query: Type.Object({
    ...merchantQuery,
    currency,
    from: Type.Optional(from),
    to: Type.Optional(to),
    kind: Type.Optional(oneOf(entryKinds)),
    subject: Type.Optional(paymentId),
    before: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,17}$', description: '`next` of a page.' })),
    limit: pageLimit,
  }),
  responses: {
    200: {
      description: 'One page.',
      schema: Type.Object({ entries: Type.Array(Entry), next: OrNull(Type.String()) }),
    },
    404: notYours,
  },
} as const satisfies RouteContract;

const Statement = Type.Object({
  seller_account: Type.String(),
  currency: Type.String(),
  from: Instant,
  to: Instant,
  opening_balance: Type.String(),
  closing_balance: Type.String(),
  entries: Type.Array(Entry),
});

export const getMerchantStatement = {
  ...reading,
  operationId: 'getMerchantStatement',
  path: '/v1/merchant/statement',
  summary: 'A statement: opening balance, entries, closing balance',
  description:
    'Of a month in UTC, or of any time. Opening balance and entries add up to the closing balance. Both ' +
    'balances are those of the ledger at these moments. At most 10,000 entries.',
  query: Type.Object({
    ...merchantQuery,
    currency,
    month: Type.Optional(
      Type.String({
        pattern: '^20\\d{2}-(?:0[1-9]|1[0-2])$',
        description: '2026-11. Instead of `from` and `to`.',
      }),
    ),
    from: Type.Optional(from),
    to: Type.Optional(to),
    format: Type.Optional(oneOf(['json', 'csv', 'html'] as const)),
  }),
  responses: {
    200: { description: 'JSON, or by `format` CSV or an HTML page for printing.', schema: Statement },
    404: notYours,
    422: { description: 'The statement has more than 10,000 entries. Request a shorter time.' },
  },
} as const satisfies RouteContract;

export const MerchantPayment = Type.Object({
  payment_order_id: Type.String(),
  checkout_id: Type.String(),
  buyer_account: Type.String(),
  amount: Type.String(),
  currency: Type.String(),
  payment_order_status: Type.String({ description: 'NOT_STARTED, EXECUTING, SUCCESS, FAILED' }),
  pending: OrNull(Type.String()),
  failure_code: OrNull(Type.String()),
  captured_amount: Type.String(),
  refunded_amount: Type.String(),
  disputed_amount: Type.String({ description: "Taken back by the buyer's bank, for a while or for good." }),
  application_fee: Type.String({ description: 'What we keep of it, less what refunds gave back.' }),
  created_at: Instant,
  updated_at: Instant,
});
export type MerchantPaymentBody = Static<typeof MerchantPayment>;

export const paymentSearch = {
  ...merchantQuery,
  status: Type.Optional(oneOf(['NOT_STARTED', 'EXECUTING', 'SUCCESS', 'FAILED'] as const)),
  currency: Type.Optional(currency),
  amount_from: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 32,
      description: 'Decimal, this amount included. Needs `currency`.',
    }),
  ),
  amount_to: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 32,
      description: 'Decimal, this amount included. Needs `currency`.',
    }),
  ),
  buyer_account: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  from: Type.Optional(from),
  to: Type.Optional(to),
  after: Type.Optional(
    Type.String({ maxLength: 128, pattern: '^[\\w-]+$', description: '`next` of a page.' }),
  ),
};
const examined =
  'At most 5,000 payments are looked at for `status`, `currency` and amounts, so a page may have fewer ' +
  'than `limit`.';

export const getMerchantPayments = {
  ...reading,
  operationId: 'getMerchantPayments',
  path: '/v1/merchant/payments',
  summary: 'Your payments, newest first, with filters',
  description: [
    'All filters must match. `checkout_id` is used alone. Continue with `after=<next>`.',
    examined,
  ].join(' '),
  query: Type.Object({ ...paymentSearch, checkout_id: Type.Optional(paymentId), limit: pageLimit }),
  responses: {
    200: {
      description: 'One page.',
      schema: Type.Object({ payments: Type.Array(MerchantPayment), next: OrNull(Type.String()) }),
    },
    404: notYours,
  },
} as const satisfies RouteContract;

export const getMerchantPayment = {
  ...reading,
  operationId: 'getMerchantPayment',
  path: '/v1/merchant/payments/{payment_order_id}',
  summary: 'One of your payments',
  params: Type.Object({ payment_order_id: Type.String({ minLength: 1, maxLength: 64 }) }),
  responses: { 200: { description: 'Now.', schema: MerchantPayment }, 404: notYours },
} as const satisfies RouteContract;

export const getMerchantExport = {
  ...reading,
  operationId: 'getMerchantExport',
  path: '/v1/merchant/payments-export',
  summary: 'Your payments as CSV',
  description:
    'The same filters as the list. At most 10,000 payments in one answer; while there are more, the header ' +
    '`link` has the address of the next part with `rel="next"`. Texts that a spreadsheet would run as a ' +
    'formula have an apostrophe in front.',
  query: Type.Object(paymentSearch),
  responses: {
    200: {
      description: 'CSV (RFC 4180) with a header line.',
      schema: Type.String(),
      contentType: 'text/csv',
    },
    404: notYours,
  },
} as const satisfies RouteContract;
