import type { SqlSession } from '#platform/sql/sql.js';
import type { TimelineKind } from '#schemas/http/finance-payments.js';
import { type Currency, parseCurrency } from '../money/currency.js';
import type { Money } from '../money/money.js';

/** One thing that happened to a payment order, from whatever record keeps it. */
export interface TimelineEntry {
  readonly at: Date;
  readonly kind: TimelineKind;
  readonly subject: string | undefined;
  readonly state: string | undefined;
  readonly detail: string | undefined;
  readonly who: string | undefined;
  readonly amount: Money | undefined;
  readonly debit: string | undefined;
  readonly credit: string | undefined;
}

export interface Timeline {
  /** Oldest first; of many the newest `timelineMax`. */
  readonly entries: readonly TimelineEntry[];
  readonly hasMore: boolean;
}

export const timelineMax = 1_000;

/**
 * The columns of each source: at, kind, subject, state, detail, who, amount, currency, debit, credit, and the
 * place among what happened at the same time. Every source finds its rows by an index on the order.
 */
const sources = [
  `SELECT o.created_at, 'created', o.checkout_id, NULL, NULL, e.caller, o.amount_minor, o.currency, NULL, NULL, 0
   FROM payment_orders o JOIN payment_events e USING (checkout_id) WHERE o.payment_order_id = $1`,
  `SELECT at, 'status', NULL, to_status, cause, source, NULL, NULL, NULL, NULL, version
   FROM payment_order_history WHERE payment_order_id = $1`,
  `SELECT received_at, 'webhook_received', webhook_id, effect, kind, NULL, NULL, NULL, NULL, NULL, 0
   FROM payment_webhooks WHERE payment_order_id = $1`,
  `SELECT at, 'risk_check', NULL, decision, reason, source, NULL, NULL, NULL, NULL, id
   FROM payment_risk_checks WHERE payment_order_id = $1`,
  `SELECT created_at, 'refund_requested', refund_id, NULL, reason, requested_by, amount_minor, currency, NULL, NULL, 0
   FROM payment_refunds WHERE payment_order_id = $1`,
  `SELECT reviewed_at, 'refund_reviewed', refund_id, NULL, review_reason, reviewed_by, amount_minor, currency, NULL,
     NULL, 1
   FROM payment_refunds WHERE payment_order_id = $1 AND reviewed_at IS NOT NULL`,
  `SELECT changed_at, 'refund_ended', refund_id, refund_status, failure_code, NULL, amount_minor, currency, NULL, NULL, 2
   FROM payment_refunds WHERE payment_order_id = $1 AND refund_status IN ('SUCCESS', 'FAILED')`,
  `SELECT opened_at, 'dispute_opened', dispute_id, NULL, reason, NULL, amount_minor, currency, NULL, NULL, 0
   FROM payment_disputes WHERE payment_order_id = $1`,
  `SELECT a.answered_at, 'dispute_answered', a.dispute_id, a.kind, coalesce(a.failure, nullif(a.reason, '')),
     a.answered_by, NULL, NULL, NULL, NULL, a.answer_no
   FROM payment_disputes d JOIN dispute_answer a USING (dispute_id) WHERE d.payment_order_id = $1`,
  `SELECT missed_at, 'dispute_missed', dispute_id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 1
   FROM payment_disputes WHERE payment_order_id = $1 AND missed_at IS NOT NULL`,
  `SELECT closed_at, 'dispute_closed', dispute_id, dispute_status, NULL, NULL, amount_minor, currency, NULL, NULL, 2
   FROM payment_disputes WHERE payment_order_id = $1 AND closed_at IS NOT NULL`,
  `SELECT t.posted_at, 'posted', t.operation, t.phase, t.kind, NULL, t.amount, t.currency, d.id, c.id,
     t.batch_no * 32768 + t.batch_sequence
   FROM ledger_transfer t JOIN ledger_account d ON d.account_no = t.debit_account
   JOIN ledger_account c ON c.account_no = t.credit_account
   WHERE t.subject = ANY (ARRAY(SELECT $1 UNION ALL SELECT 'finding-' || finding_no FROM reconciliation_finding
     WHERE payment_order_id = $1))`,
  `SELECT found_at, 'mismatch_found', finding_no::text, state, kind, NULL, coalesce(psp_minor, our_minor),
     CASE WHEN psp_minor IS NULL THEN coalesce(our_currency, currency) ELSE currency END, NULL, NULL, 0
   FROM reconciliation_finding WHERE payment_order_id = $1`,
  `SELECT d.at, 'mismatch_decided', f.finding_no::text, d.action, d.why, d.who, d.amount_minor, d.currency, d.debit,
     d.credit, d.decision_no
   FROM reconciliation_finding f JOIN finance_decision d USING (finding_no) WHERE f.payment_order_id = $1`,
  `SELECT a.at, 'mismatch_approved', f.finding_no::text, d.action, NULL, a.who, d.amount_minor, d.currency, d.debit,
     d.credit, d.decision_no
   FROM reconciliation_finding f JOIN finance_decision d USING (finding_no)
   JOIN finance_approval a USING (decision_no) WHERE f.payment_order_id = $1`,
  `SELECT l.at, 'given_up', l.subject_id, l.kind, l.cause, NULL, NULL, NULL, NULL, NULL, l.id
   FROM (${letters()}) l WHERE l.needs_person`,
  `SELECT l.redriven_at, 'retried', l.subject_id, l.kind, NULL, l.redriven_by, NULL, NULL, NULL, NULL, l.id
   FROM (${letters()}) l WHERE l.redriven_at IS NOT NULL`,
];

/** Dead letters of the order and of its refunds. */
function letters(): string {
  return `SELECT * FROM payment_dead_letters WHERE kind = 'payment' AND subject_id = $1
    UNION ALL SELECT p.* FROM payment_refunds r JOIN payment_dead_letters p ON p.subject_id = r.refund_id
      AND p.kind = 'refund' WHERE r.payment_order_id = $1`;
}

/** Everything that the records hold about one payment order; empty for one that does not exist. */
export async function timelineOf(session: SqlSession, paymentOrderId: string): Promise<Timeline> {
  const { rows } = await session.query<Row>(
    `SELECT * FROM (${sources.join('\nUNION ALL ')})
       AS t (at, kind, subject, state, detail, who, amount, currency, debit, credit, place)
     ORDER BY at DESC, place DESC LIMIT ${timelineMax + 1}`,
    [paymentOrderId],
  );
  const entries = rows.slice(0, timelineMax).map(entryOf).reverse();
  return { entries, hasMore: rows.length > timelineMax };
}

const entryOf = (row: Row): TimelineEntry => ({
  at: row.at,
  kind: row.kind,
  subject: row.subject ?? undefined,
  state: row.state ?? undefined,
  detail: row.detail ?? undefined,
  // The records of changes by people have it as `staff <person>`.
  who: row.who?.replace(/^staff /, '') ?? undefined,
  amount: row.amount === null ? undefined : { minor: row.amount, currency: currencyOf(row) },
  debit: row.debit ?? undefined,
  credit: row.credit ?? undefined,
});

const currencyOf = ({ currency }: Row): Currency => parseCurrency(currency!)!;

interface Row extends Readonly<Record<string, unknown>> {
  readonly at: Date;
  readonly kind: TimelineKind;
  readonly subject: string | null;
  readonly state: string | null;
  readonly detail: string | null;
  readonly who: string | null;
  readonly amount: bigint | null;
  readonly currency: string | null;
  readonly debit: string | null;
  readonly credit: string | null;
}
