import { type Static, Type } from 'typebox';
import { Payout } from './payouts.js';
import type { RouteContract } from './route-contract.js';

const SettledLine = Type.Object({
  file_no: Type.Integer(),
  file_id: Type.String(),
  line_no: Type.Integer(),
  kind: Type.String({ description: '`charge`, `refund`, `dispute` or `dispute_won`.' }),
  operation: Type.String({ description: 'As the ledger calls it: `capture`, `refund:<id>`.' }),
  psp_reference: Type.String(),
  amount: Type.String(),
  fee: Type.String({ description: 'What the provider withheld.' }),
  currency: Type.String(),
  succeeded: Type.Boolean(),
  occurred_at: Type.String({ description: 'RFC 3339' }),
  payout_ids: Type.Array(Type.String(), {
    description:
      'Payouts of the provider to our bank that contained it: one where the provider names the parts of ' +
      'its payouts, else all of the file in this currency. Empty before it is paid.',
  }),
});
export type SettledLineBody = Static<typeof SettledLine>;

const Entry = Type.Object({
  at: Type.String({ description: 'RFC 3339' }),
  subject: Type.String({
    description:
      'The payout, `settlement-<file_no>` for fees that were withheld from payouts, or `finding-<finding_no>`.',
  }),
  operation: Type.String(),
  kind: Type.String(),
  phase: Type.String({
    description:
      '`pending` reserves the money, `post` moves it, `void` frees it; others are `posted` at once.',
  }),
  amount: Type.String(),
  currency: Type.String(),
  debit: Type.String(),
  credit: Type.String(),
});
export type SettlementEntryBody = Static<typeof Entry>;

const PaymentSettlement = Type.Object({
  lines: Type.Array(SettledLine, { description: 'By the periods of their files. At most 200.' }),
  payouts: Type.Array(Payout, {
    description:
      'To the seller, in their order, also those that failed. Payouts take what a seller earned in the ' +
      'order in which it was earned. The newest 200.',
  }),
  entries: Type.Array(Entry, {
    description: 'What the ledger has of these payouts, oldest first. At most 1,000.',
  }),
  has_more: Type.Boolean({ description: 'Something was left out.' }),
});
export type PaymentSettlementBody = Static<typeof PaymentSettlement>;

export const getFinancePaymentSettlement = {
  method: 'GET',
  listener: 'internal',
  tag: 'finance',
  scopes: ['finance'],
  operationId: 'getFinancePaymentSettlement',
  path: '/v1/finance/payments/{payment_order_id}/settlement',
  summary: 'Where the money of a payment went: settlement lines, and payouts to us and to the seller',
  description:
    'Reads the settlement files whose days can have lines about the payment: from the day before each ' +
    'capture, refund and dispute to `SETTLEMENT_PAYOUT_DAYS` or `SETTLEMENT_LOOKBACK_DAYS` after it, ' +
    'whichever is more; and those in which a mismatch of it was found. At most 100 files.',
  params: Type.Object({ payment_order_id: Type.String({ minLength: 1, maxLength: 64 }) }),
  responses: {
    200: { description: 'Now.', schema: PaymentSettlement },
    404: { description: 'No payment order has this id.' },
  },
} as const satisfies RouteContract;
