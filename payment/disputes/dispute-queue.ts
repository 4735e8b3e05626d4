import type { SqlSession } from '#platform/sql/sql.js';
import { type Currency, parseCurrency } from '../money/currency.js';
import type { Dispute } from '../orders/dispute.js';
import type { DocumentPurpose, DocumentType } from '../psp/psp-dispute.js';
import { type SellersSeen, sellersOrNull } from '../sellers/sellers-seen.js';

export interface QueuedDispute {
  readonly id: string;
  readonly paymentOrderId: string;
  readonly sellerAccount: string;
  readonly amountMinor: bigint;
  readonly currency: Currency;
  readonly status: Dispute['status'];
  readonly reason: string | undefined;
  readonly dueAt: Date | undefined;
  /** The deadline passed, and the provider had no answer. */
  readonly isMissed: boolean;
  readonly openedAt: Date;
  readonly closedAt: Date | undefined;
  /** The last one; one that was refused may be followed by another. */
  readonly answer:
    | {
        readonly kind: 'evidence' | 'acceptance';
        readonly state: 'waiting' | 'sent' | 'refused';
        readonly failure: string | undefined;
        readonly by: string;
        readonly at: Date;
        readonly sentAt: Date | undefined;
      }
    | undefined;
  readonly documents: readonly {
    readonly purpose: DocumentPurpose;
    readonly contentType: DocumentType;
    readonly size: number;
    readonly addedAt: Date;
  }[];
}

/** The place of a dispute in the queue; without a deadline it comes after all others. */
export interface DisputeCursor {
  readonly dueAt: Date | undefined;
  readonly id: string;
}

interface Row extends Readonly<Record<string, unknown>> {
  readonly dispute_id: string;
  readonly payment_order_id: string;
  readonly seller_account: string;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly dispute_status: Dispute['status'];
  readonly reason: string | null;
  readonly evidence_due_at: Date | null;
  readonly missed_at: Date | null;
  readonly opened_at: Date;
  readonly closed_at: Date | null;
  readonly answer_kind: 'evidence' | 'acceptance' | null;
  readonly answer_state: 'waiting' | 'sent' | 'refused';
  readonly failure: string | null;
  readonly answered_by: string;
  readonly answered_at: Date;
  readonly sent_at: Date | null;
}

const selected = `SELECT d.dispute_id, d.payment_order_id, o.seller_account, d.amount_minor, d.currency,
    d.dispute_status, d.reason, d.evidence_due_at, d.missed_at, d.opened_at, d.closed_at,
    a.kind AS answer_kind, a.state AS answer_state, a.failure, a.answered_by, a.answered_at, a.sent_at
  FROM payment_disputes d JOIN payment_orders o USING (payment_order_id)
  LEFT JOIN LATERAL (SELECT * FROM dispute_answer a WHERE a.dispute_id = d.dispute_id
    ORDER BY a.answer_no DESC LIMIT 1) a ON true`;
const dueAt = `coalesce(d.evidence_due_at, 'infinity'::timestamptz)`;

/** Disputes of one state, the nearest deadline first. */
export async function listDisputes(
  session: SqlSession,
  query: {
    readonly sellers: SellersSeen;
    readonly status: Dispute['status'];
    readonly after?: DisputeCursor;
    readonly limit: number;
    readonly now: Date;
  },
): Promise<readonly QueuedDispute[]> {
  const { sellers, status, after, limit, now } = query;
  const { rows } = await session.query<Row>(
    `${selected} WHERE d.dispute_status = '${status}' AND ($1::text[] IS NULL OR o.seller_account = ANY ($1::text[]))
       AND (${dueAt}, d.dispute_id) > ($2::timestamptz, $3)
     ORDER BY ${dueAt}, d.dispute_id LIMIT $4`,
    [
      sellersOrNull(sellers),
      after === undefined ? '-infinity' : (after.dueAt?.toISOString() ?? 'infinity'),
      after?.id ?? '',
      limit,
    ],
  );
  return withDocuments(session, rows, now);
}

export async function findDispute(
  session: SqlSession,
  { disputeId, sellers, now }: { disputeId: string; sellers: SellersSeen; now: Date },
): Promise<QueuedDispute | undefined> {
  const { rows } = await session.query<Row>(
    `${selected} WHERE d.dispute_id = $1 AND ($2::text[] IS NULL OR o.seller_account = ANY ($2::text[]))`,
    [disputeId, sellersOrNull(sellers)],
  );
  return (await withDocuments(session, rows, now))[0];
}

async function withDocuments(
  session: SqlSession,
  rows: readonly Row[],
  now: Date,
): Promise<readonly QueuedDispute[]> {
  if (rows.length === 0) return [];
  const { rows: documents } = await session.query<{
    readonly dispute_id: string;
    readonly purpose: DocumentPurpose;
    readonly content_type: DocumentType;
    readonly size: number;
    readonly added_at: Date;
  }>(
    `SELECT dispute_id, purpose, content_type, size, added_at FROM dispute_document
     WHERE dispute_id = ANY ($1::text[]) ORDER BY dispute_id, purpose`,
    [rows.map(({ dispute_id }) => dispute_id)],
  );
  return rows.map((row) => ({
    ...disputeOf(row, now),
    documents: documents
      .filter(({ dispute_id }) => dispute_id === row.dispute_id)
      .map((one) => ({
        purpose: one.purpose,
        contentType: one.content_type,
        size: one.size,
        addedAt: one.added_at,
      })),
  }));
}

function disputeOf(row: Row, now: Date): Omit<QueuedDispute, 'documents'> {
  const isSent = row.answer_kind !== null && row.answer_state === 'sent';
  const isLate = row.evidence_due_at !== null && row.evidence_due_at <= now;
  return {
    id: row.dispute_id,
    paymentOrderId: row.payment_order_id,
    sellerAccount: row.seller_account,
    amountMinor: row.amount_minor,
    currency: parseCurrency(row.currency)!,
    status: row.dispute_status,
    reason: row.reason ?? undefined,
    dueAt: row.evidence_due_at ?? undefined,
    isMissed: row.missed_at !== null || (row.dispute_status === 'OPENED' && isLate && !isSent),
    openedAt: row.opened_at,
    closedAt: row.closed_at ?? undefined,
    answer:
      row.answer_kind === null
        ? undefined
        : {
            kind: row.answer_kind,
            state: row.answer_state,
            failure: row.failure ?? undefined,
            by: row.answered_by,
            at: row.answered_at,
            sentAt: row.sent_at ?? undefined,
          },
  };
}
