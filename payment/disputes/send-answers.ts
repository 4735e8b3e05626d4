import { type ExecutorDeps, providerOf } from '../executor/executor-deps.js';
import { changeOrder } from '../orders/change-order.js';
import { actionOf } from '../orders/code-actions.js';
import { readOrder } from '../orders/order.js';
import type { PspAnswer } from '../psp/psp.js';
import type { EvidenceTexts, PspDisputeAnswer } from '../psp/psp-dispute.js';
import { retryAfter } from '../settings/retry-policy.js';
import { documentsOf } from './dispute-document.js';
import { disputeLimits } from './limits.js';

interface Claimed extends Readonly<Record<string, unknown>> {
  readonly answer_no: bigint;
  readonly dispute_id: string;
  readonly kind: 'evidence' | 'acceptance';
  readonly texts: EvidenceTexts | null;
  readonly attempts: number;
  readonly payment_order_id: string;
  readonly amount_minor: bigint;
  readonly is_open: boolean;
}

/**
 * Sends the answers that are due to the providers that have the payments. An answer is sent until the
 * provider has it or refuses it, with one nonce, so that a lost reply has no second effect. Any number of
 * processes may run it. Resolves with whether there is more.
 */
export async function sendAnswers(deps: ExecutorDeps): Promise<boolean> {
  const now = new Date(deps.nowMs());
  const { rows } = await deps.sql.query<Claimed>(
    `UPDATE dispute_answer a SET next_attempt_at = $2, attempts = a.attempts + 1
     FROM payment_disputes d WHERE d.dispute_id = a.dispute_id AND a.answer_no IN (
       SELECT answer_no FROM dispute_answer WHERE next_attempt_at <= $1
       ORDER BY next_attempt_at LIMIT $3 FOR UPDATE SKIP LOCKED)
     RETURNING a.answer_no, a.dispute_id, a.kind, a.texts, a.attempts, d.payment_order_id, d.amount_minor,
       d.dispute_status = 'OPENED' AS is_open`,
    [now, new Date(now.getTime() + deps.settings.disputes.leaseMs), disputeLimits.sentAtOnceMax],
  );
  for (const claimed of rows)
    await sendOne(deps, claimed).catch((error: Error) =>
      deps.logger.warn('an answer to a dispute is sent again later', {
        disputeId: claimed.dispute_id,
        cause: error.message,
      }),
    );
  return rows.length >= disputeLimits.sentAtOnceMax;
}

async function sendOne(deps: ExecutorDeps, claimed: Claimed): Promise<void> {
  // The bank decided before the answer was sent.
  if (!claimed.is_open) return end(deps, claimed, 'dispute_closed');
  const order = await readOrder(deps.sql, claimed.payment_order_id);
  const psp = order === undefined ? undefined : providerOf(deps, order);
  const answer: PspAnswer<'received'> =
    psp === undefined
      ? { kind: 'unknown', reason: 'the provider of the payment is not configured' }
      : await psp.answerDispute(await answerOf(deps, claimed));
  await deps.reach('after-psp-call');
  if (answer.kind === 'known') return end(deps, claimed);
  if (answer.kind === 'absent') return end(deps, claimed, 'unknown_dispute');
  if (answer.kind === 'refused' && actionOf(answer.code, 'manual') !== 'retry')
    return end(deps, claimed, answer.code);
  await later(deps, claimed, answer);
}

async function answerOf({ sql }: ExecutorDeps, claimed: Claimed): Promise<PspDisputeAnswer> {
  const about = { disputeId: claimed.dispute_id, nonce: `answer-${claimed.answer_no}-${claimed.dispute_id}` };
  if (claimed.kind === 'acceptance') return { ...about, kind: 'acceptance' };
  const documents = await documentsOf(sql, claimed.dispute_id);
  return { ...about, kind: 'evidence', texts: claimed.texts ?? {}, documents };
}

async function later(
  deps: ExecutorDeps,
  { answer_no: answerNo, attempts }: Claimed,
  answer: Exclude<PspAnswer<never>, { kind: 'known' | 'absent' }>,
): Promise<void> {
  const { retry } = deps.settings;
  const asked = answer.kind === 'refused' ? answer.retryAfterMs : undefined;
  const waitMs = retryAfter(retry, attempts, deps.random(), asked) ?? retry.capMs;
  await deps.sql.query(
    `UPDATE dispute_answer SET next_attempt_at = $2, failure = $3 WHERE answer_no = $1 AND state = 'waiting'`,
    [
      answerNo,
      new Date(deps.nowMs() + waitMs),
      answer.kind === 'refused' ? answer.code : answer.reason.slice(0, 200),
    ],
  );
}

/** The provider has the answer, or refuses it for good; then another one may be given. */
async function end(deps: ExecutorDeps, claimed: Claimed, failure?: string): Promise<void> {
  const nowMs = deps.nowMs();
  await deps.sql.transaction(async (tx) => {
    // Order before answer, as everywhere.
    const order = (await readOrder(tx, claimed.payment_order_id, 'for update'))!;
    const { rowCount } = await tx.query(
      `UPDATE dispute_answer SET state = $2, failure = $3, sent_at = $4, next_attempt_at = NULL
       WHERE answer_no = $1 AND state = 'waiting'`,
      [
        claimed.answer_no,
        failure === undefined ? 'sent' : 'refused',
        failure ?? null,
        failure === undefined ? new Date(nowMs) : null,
      ],
    );
    if (rowCount === 0) return;
    const { dispute_id: subjectId, amount_minor: amountMinor, kind: answered } = claimed;
    const kind = failure === undefined ? ('disputeAnswered' as const) : ('disputeAnswerRefused' as const);
    const cause = failure ?? answered;
    const event = { kind, amountMinor, subjectId };
    await changeOrder(tx, order, { set: {}, cause, event }, { nowMs, source: 'disputes' });
  });
}
