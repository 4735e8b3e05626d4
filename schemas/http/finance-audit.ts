import { type Static, Type } from 'typebox';
import { pageLimit } from './merchants.js';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';

const OrNull = <S extends ReturnType<typeof Type.String>>(schema: S) => Type.Union([schema, Type.Null()]);

/** What people can do about money: one word for each deed. */
export const auditActions = [
  'finding_decided',
  'finding_approved',
  'refund_requested',
  'refund_reviewed',
  'payout_requested',
  'payout_reviewed',
  'schedule_requested',
  'schedule_reviewed',
  'schedule_stopped',
  'fee_requested',
  'fee_reviewed',
  'account_assigned',
  'account_removed',
  'payment_reviewed',
  'dead_letter_retried',
  'dispute_answered',
  'document_added',
  'late_file_accepted',
] as const;
export type AuditAction = (typeof auditActions)[number];

const Deed = Type.Object({
  at: Type.String({ description: 'RFC 3339' }),
  who: Type.String({
    description: 'The subject of the token: a person, or a service for its own payments.',
  }),
  action: oneOf(auditActions),
  subject: Type.String({
    description:
      'The decision, refund, payout, schedule, fee, assignment, check, dead letter, document or file.',
  }),
  reason: OrNull(Type.String()),
  payment_order_id: OrNull(Type.String()),
  seller_account: OrNull(Type.String()),
  amount: OrNull(Type.String()),
  currency: OrNull(Type.String()),
  debit: OrNull(Type.String()),
  credit: OrNull(Type.String()),
});
export type DeedBody = Static<typeof Deed>;

export const getFinanceAudit = {
  operationId: 'getFinanceAudit',
  method: 'GET',
  listener: 'internal',
  tag: 'finance',
  scopes: ['finance'],
  path: '/v1/finance/audit',
  summary: 'Who did what about money, when and why; newest first',
  description:
    'Decisions, refunds, payouts, schedules, fees, accounts of merchants, reviews of payments, retries, ' +
    'answers to disputes and late settlement files that were accepted, read from the records that keep ' +
    'them. Continue with `before=<next>`.',
  query: Type.Object({
    who: Type.Optional(Type.String({ minLength: 1, maxLength: 128, description: 'The subject of a token.' })),
    before: Type.Optional(
      Type.String({ maxLength: 255, pattern: '^[\\w-]+$', description: '`next` of a page.' }),
    ),
    limit: pageLimit,
  }),
  responses: {
    200: {
      description: 'One page.',
      schema: Type.Object({ deeds: Type.Array(Deed), next: OrNull(Type.String()) }),
    },
  },
} as const satisfies RouteContract;
