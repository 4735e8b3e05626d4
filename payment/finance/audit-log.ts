import type { SqlSession, SqlValue } from '#platform/sql/sql.js';
import type { AuditAction } from '#schemas/http/finance-audit.js';
import type { PaymentCursor } from '../merchant/payment-cursor.js';
import { parseCurrency } from '../money/currency.js';
import type { Money } from '../money/money.js';

/** What one person, or a program with an identity of its own, did about money. */
export interface Deed {
  readonly at: Date;
  readonly who: string;
  readonly action: AuditAction;
  /** The decision, refund, payout, schedule, fee, assignment, payment, dispute or file: once an action. */
  readonly subject: string;
  readonly reason: string | undefined;
  readonly paymentOrderId: string | undefined;
  readonly sellerAccount: string | undefined;
  readonly amount: Money | undefined;
  readonly debit: string | undefined;
  readonly credit: string | undefined;
}

export interface AuditFilter {
  readonly who?: string;
  readonly before?: PaymentCursor;
  readonly limit: number;
}

export interface AuditPage {
  readonly deeds: readonly Deed[];
  readonly next: PaymentCursor | undefined;
}

/** One record that keeps deeds: none of these tables loses a row or changes what was written. */
interface Source {
  readonly action: AuditAction;
  readonly from: string;
  readonly at: string;
  readonly who: string;
  readonly subject: string;
  readonly where?: string;
  readonly reason?: string;
  readonly order?: string;
  readonly seller?: string;
  readonly minor?: string;
  readonly currency?: string;
  readonly debit?: string;
  readonly credit?: string;
}

const amount = { minor: 'amount_minor', currency: 'currency' };
const refund = { from: 'payment_refunds', subject: 'refund_id', order: 'payment_order_id', ...amount };
const payout = { from: 'payout', subject: 'payout_id', seller: 'seller_account', ...amount };
const schedule = { from: 'payout_schedule', subject: 'schedule_no::text', seller: 'seller_account' };
const fee = { from: 'seller_fee', subject: 'fee_no::text', seller: 'seller_account', currency: 'currency' };
const assignment = {
  from: 'merchant_account',
  subject: 'assignment_no::text',
  seller: 'seller_account',
};
const requested = { at: 'created_at', who: 'requested_by', reason: 'reason' };
const reviewed = {
  at: 'reviewed_at',
  who: 'reviewed_by',
  reason: 'review_reason',
  where: 'reviewed_at IS NOT NULL',
};
const decision = { ...amount, debit: 'debit', credit: 'credit' };

const sources: readonly Source[] = [
  {
    ...decision,
    action: 'finding_decided',
    from: 'finance_decision',
    at: 'at',
    who: 'who',
    subject: 'decision_no::text',
    reason: 'why',
  },
  {
    ...decision,
    action: 'finding_approved',
    from: `(SELECT a.at, a.who, a.decision_no, d.amount_minor, d.currency, d.debit, d.credit
      FROM finance_approval a JOIN finance_decision d USING (decision_no)) a`,
    at: 'at',
    who: 'who',
    subject: 'decision_no::text',
  },
  { ...refund, ...requested, action: 'refund_requested' },
  { ...refund, ...reviewed, action: 'refund_reviewed' },
  { ...payout, ...requested, action: 'payout_requested' },
  { ...payout, ...reviewed, action: 'payout_reviewed' },
  { ...schedule, ...requested, at: 'requested_at', action: 'schedule_requested' },
  { ...schedule, ...reviewed, action: 'schedule_reviewed' },
  {
    ...schedule,
    action: 'schedule_stopped',
    at: 'ended_at',
    who: 'ended_by',
    reason: 'end_reason',
    where: 'ended_at IS NOT NULL',
  },
  { ...fee, ...requested, at: 'requested_at', action: 'fee_requested' },
  { ...fee, ...reviewed, action: 'fee_reviewed' },
  { ...assignment, action: 'account_assigned', at: 'assigned_at', who: 'assigned_by', reason: 'reason' },
  {
    ...assignment,
    action: 'account_removed',
    at: 'removed_at',
    who: 'removed_by',
    reason: 'removal_reason',
    where: 'removed_at IS NOT NULL',
  },
  {
    action: 'payment_reviewed',
    from: 'payment_risk_checks',
    at: 'at',
    // Of people it is `staff <person>`.
    who: `regexp_replace(source, '^staff ', '')`,
    subject: 'id::text',
    reason: `decision || ': ' || reason`,
    order: 'payment_order_id',
    where: `decision IN ('proposed', 'approved', 'denied')`,
  },
  {
    action: 'dead_letter_retried',
    from: 'payment_dead_letters',
    at: 'redriven_at',
    who: 'redriven_by',
    subject: 'id::text',
    order: `CASE kind WHEN 'payment' THEN subject_id END`,
    where: 'redriven_at IS NOT NULL',
  },
  {
    action: 'dispute_answered',
    from: `(SELECT a.*, d.payment_order_id FROM dispute_answer a JOIN payment_disputes d USING (dispute_id)) a`,
    at: 'answered_at',
    who: 'answered_by',
    subject: 'answer_no::text',
    reason: `kind || CASE reason WHEN '' THEN '' ELSE ': ' || reason END`,
    order: 'payment_order_id',
  },
  {
    action: 'document_added',
    from: `(SELECT c.*, d.payment_order_id FROM dispute_document c JOIN payment_disputes d USING (dispute_id)) c`,
    at: 'added_at',
    who: 'added_by',
    subject: `dispute_id || '/' || purpose`,
    order: 'payment_order_id',
  },
  {
    action: 'late_file_accepted',
    from: 'settlement_late_acceptance',
    at: 'at',
    who: 'who',
    subject: 'file_no::text',
    reason: 'why',
  },
];

/** Deeds of all records, newest first. Each record gives its newest by an index on its time. */
export async function auditLog(session: SqlSession, filter: AuditFilter): Promise<AuditPage> {
  const { limit, who, before } = filter;
  const values: SqlValue[] = [];
  const add = (value: SqlValue): string => `$${values.push(value)}`;
  const count = add(limit + 1);
  const person = who === undefined ? undefined : add(who);
  const place =
    before === undefined
      ? undefined
      : {
          at: `timestamptz 'epoch' + ${add(before.createdUs)}::bigint * interval '1 microsecond'`,
          key: add(before.id),
        };
  const text = sources.map((source) => {
    const key = `'${source.action}:' || ${source.subject}`;
    const conditions = [
      ...(source.where === undefined ? [] : [source.where]),
      ...(person === undefined ? [] : [`${source.who} = ${person}`]),
      ...(place === undefined
        ? []
        : [
            `${source.at} <= ${place.at}`,
            `(${source.at} < ${place.at} OR ${key} COLLATE "C" < ${place.key})`,
          ]),
    ];
    return `(SELECT ${source.at} AS at, ${source.who} AS who, '${source.action}' AS action,
        ${source.subject} AS subject, ${key} COLLATE "C" AS key, ${source.reason ?? 'NULL'} AS reason,
        ${source.order ?? 'NULL'} AS payment_order_id, ${source.seller ?? 'NULL'} AS seller,
        ${source.minor ?? 'NULL'}::bigint AS minor, ${source.currency ?? 'NULL'} AS currency,
        ${source.debit ?? 'NULL'} AS debit, ${source.credit ?? 'NULL'} AS credit
      FROM ${source.from} ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}
      ORDER BY ${source.at} DESC, ${key} COLLATE "C" DESC LIMIT ${count})`;
  });
  const { rows } = await session.query<Row>(
    `SELECT *, (extract(epoch FROM at) * 1000000)::bigint AS at_us FROM (${text.join(' UNION ALL ')}) u
     ORDER BY at DESC, key DESC LIMIT ${count}`,
    values,
  );
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    deeds: rows.slice(0, limit).map(deedOf),
    next: last === undefined ? undefined : { createdUs: last.at_us, id: last.key },
  };
}

const deedOf = (row: Row): Deed => ({
  at: row.at,
  who: row.who,
  action: row.action,
  subject: row.subject,
  reason: row.reason ?? undefined,
  paymentOrderId: row.payment_order_id ?? undefined,
  sellerAccount: row.seller ?? undefined,
  amount: row.minor === null ? undefined : { minor: row.minor, currency: parseCurrency(row.currency)! },
  debit: row.debit ?? undefined,
  credit: row.credit ?? undefined,
});

interface Row extends Readonly<Record<string, unknown>> {
  readonly at: Date;
  readonly at_us: bigint;
  readonly who: string;
  readonly action: AuditAction;
  readonly subject: string;
  readonly key: string;
  readonly reason: string | null;
  readonly payment_order_id: string | null;
  readonly seller: string | null;
  readonly minor: bigint | null;
  readonly currency: string | null;
  readonly debit: string | null;
  readonly credit: string | null;
}
