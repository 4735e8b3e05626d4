import type { Sql, SqlTransaction } from '#platform/sql/sql.js';
import { fingerprintOf } from '../orders/idempotency-key.js';
import type { EvidenceTexts } from '../psp/psp-dispute.js';
import type { SellersSeen } from '../sellers/sellers-seen.js';
import { lockOpenDispute, type NotAnswerable } from './open-dispute.js';

export type DisputeAnswer =
  /** The texts, together with the documents that the dispute has. */
  | { readonly kind: 'evidence'; readonly texts: EvidenceTexts }
  | { readonly kind: 'acceptance'; readonly reason: string };

export interface AnswerRequest {
  readonly disputeId: string;
  readonly sellers: SellersSeen;
  readonly answer: DisputeAnswer;
  readonly who: string;
  readonly now: Date;
}

export type AnswerOutcome =
  /** `repeated`: the same answer was given before. */
  | 'accepted'
  | 'repeated'
  /** Another answer was given. */
  | 'answered'
  /** Neither a text nor a document. */
  | 'empty'
  | NotAnswerable;

/**
 * Stores the answer to a dispute, once; the background sends it to the provider until its outcome is known.
 * The dispute is locked, so documents that are added at the same time are part of the answer or refused.
 */
export async function answerDispute(sql: Sql, request: AnswerRequest): Promise<AnswerOutcome> {
  return sql.transaction((tx) => store(tx, request));
}

async function store(
  tx: SqlTransaction,
  { disputeId, sellers, answer, who, now }: AnswerRequest,
): Promise<AnswerOutcome> {
  const dispute = await lockOpenDispute(tx, { disputeId, sellers, now });
  if (dispute === 'not found') return dispute;
  const fingerprint = fingerprintOf(answer);
  const before = await standingFingerprint(tx, disputeId);
  if (before !== undefined) return Buffer.compare(before, fingerprint) === 0 ? 'repeated' : 'answered';
  if (typeof dispute === 'string') return dispute;
  const texts = answer.kind === 'evidence' ? answer.texts : {};
  if (answer.kind === 'evidence' && Object.keys(texts).length === 0 && !(await hasDocument(tx, disputeId)))
    return 'empty';
  await tx.query(
    `INSERT INTO dispute_answer
       (dispute_id, kind, texts, fingerprint, next_attempt_at, answered_by, answered_at, reason)
     VALUES ($1, $2, $3, $4, $5, $6, $5, $7)`,
    [
      disputeId,
      answer.kind,
      answer.kind === 'evidence' ? JSON.stringify(texts) : null,
      fingerprint,
      now,
      who,
      answer.kind === 'acceptance' ? answer.reason : '',
    ],
  );
  return 'accepted';
}

async function standingFingerprint(tx: SqlTransaction, disputeId: string): Promise<Uint8Array | undefined> {
  const { rows } = await tx.query<{ readonly fingerprint: Uint8Array }>(
    `SELECT fingerprint FROM dispute_answer WHERE dispute_id = $1 AND state <> 'refused'`,
    [disputeId],
  );
  return rows[0]?.fingerprint;
}

async function hasDocument(tx: SqlTransaction, disputeId: string): Promise<boolean> {
  const { rows } = await tx.query('SELECT 1 FROM dispute_document WHERE dispute_id = $1 LIMIT 1', [
    disputeId,
  ]);
  return rows.length > 0;
}
