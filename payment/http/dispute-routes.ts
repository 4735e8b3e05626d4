import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import type { Identity } from '#platform/http/identity.js';
import { problem, problems } from '#platform/http/problem.js';
import {
  type DisputeBody,
  getDispute,
  getDisputes,
  postDisputeAcceptance,
  postDisputeEvidence,
  putDisputeDocument,
} from '#schemas/http/disputes.js';
import { type AnswerOutcome, answerDispute, type DisputeAnswer } from '../disputes/answer-dispute.js';
import { isOfType, putDocument } from '../disputes/dispute-document.js';
import {
  type DisputeCursor,
  findDispute,
  listDisputes,
  type QueuedDispute,
} from '../disputes/dispute-queue.js';
import { disputeLimits } from '../disputes/limits.js';
import { searchDocument } from '../disputes/search-document.js';
import { formatMoney } from '../money/money.js';
import type { PaymentService } from '../payment-service.js';
import type { DocumentType } from '../psp/psp-dispute.js';
import type { SellersSeen } from '../sellers/sellers-seen.js';
import { catchUnavailable } from './catch-unavailable.js';
import * as messages from './messages.js';
import { sellersSeenBy } from './page-of-sellers.js';
import { paymentProblems } from './payment-problems.js';

const noDispute = problem(problems.notFound, messages.noDispute);

/** Merchants answer disputes of their seller accounts, people of finance those of all. */
export const disputeRoutes = (service: PaymentService): readonly Route[] => {
  const { sql } = service;
  const now = (): Date => new Date(service.submit.nowMs());
  const sellersOf = (identity: Identity) => sellersSeenBy(sql, identity, ['finance']);
  const show = async (status: number, disputeId: string, sellers: SellersSeen): Promise<HttpAnswer> => {
    const dispute = await findDispute(sql, { disputeId, sellers, now: now() });
    return dispute === undefined ? noDispute : { status, body: disputeJson(dispute) };
  };
  const answer = async (identity: Identity, disputeId: string, given: DisputeAnswer): Promise<HttpAnswer> => {
    const sellers = await sellersOf(identity);
    const request = { disputeId, sellers, answer: given, who: identity.userId, now: now() };
    const outcome = await answerDispute(sql, request);
    if (outcome !== 'accepted' && outcome !== 'repeated') return refusal(outcome);
    if (outcome === 'accepted') service.wakeDisputes();
    return show(outcome === 'accepted' ? 202 : 200, disputeId, sellers);
  };
  return [
    route(getDisputes, ({ query, identity }) =>
      catchUnavailable(async () => {
        const all = await sellersOf(identity);
        const { seller_account: wanted } = query;
        if (wanted !== undefined && all !== 'all' && !all.includes(wanted))
          return problem(problems.notFound, messages.noSellerAccount);
        const after = query.after === undefined ? undefined : readCursor(query.after);
        if (query.after !== undefined && after === undefined)
          return problem(problems.invalid, messages.badQuery, {
            errors: [{ pointer: '/query/after', message: messages.noCursor }],
          });
        const limit = query.limit ?? disputeLimits.pageDefault;
        const disputes = await listDisputes(sql, {
          sellers: wanted === undefined ? all : [wanted],
          status: query.status ?? 'OPENED',
          limit,
          now: now(),
          ...(after === undefined ? {} : { after }),
        });
        const next = disputes.length < limit ? null : writeCursor(disputes.at(-1)!);
        return { status: 200, body: { disputes: disputes.map(disputeJson), next } };
      }),
    ),
    route(getDispute, ({ params, identity }) =>
      catchUnavailable(async () => show(200, params.dispute_id, await sellersOf(identity))),
    ),
    route(putDisputeDocument, (request) => {
      const { params, identity } = request;
      const contentType = request.contentType as DocumentType;
      // Valid only until the first await.
      const bytes = Buffer.from(request.body);
      return catchUnavailable(async () => {
        if (!isOfType(bytes, contentType))
          return problem(problems.invalid, messages.badFields, {
            errors: [{ pointer: '', message: messages.notOfType(contentType) }],
          });
        const found = await searchDocument(bytes, contentType);
        if (found === 'card data') return problem(problems.cardData, messages.documentOfCard);
        if (found === 'not searchable')
          return problem(problems.invalid, messages.badFields, {
            errors: [{ pointer: '', message: messages.notSearchable }],
          });
        const { dispute_id: disputeId, purpose } = params;
        const sellers = await sellersOf(identity);
        const document = { disputeId, sellers, purpose, contentType, bytes, who: identity.userId };
        const outcome = await putDocument(sql, { ...document, now: now() });
        if (outcome !== 'stored' && outcome !== 'repeated') return refusal(outcome);
        return show(outcome === 'stored' ? 201 : 200, disputeId, sellers);
      });
    }),
    route(postDisputeEvidence, ({ params, body: texts, identity }) =>
      catchUnavailable(() => answer(identity, params.dispute_id, { kind: 'evidence', texts })),
    ),
    route(postDisputeAcceptance, ({ params, body, identity }) =>
      catchUnavailable(() =>
        answer(identity, params.dispute_id, { kind: 'acceptance', reason: body.reason }),
      ),
    ),
  ];
};

function refusal(outcome: Exclude<AnswerOutcome, 'accepted' | 'repeated'>): HttpAnswer {
  switch (outcome) {
    case 'not found':
      return noDispute;
    case 'closed':
      return problem(paymentProblems.disputeNotOpen);
    case 'deadline passed':
      return problem(paymentProblems.disputeNotOpen, messages.deadlinePassed);
    case 'answered':
      return problem(paymentProblems.disputeAnswered);
    case 'empty':
      return problem(paymentProblems.evidenceEmpty);
  }
}

const writeCursor = ({ dueAt, id }: DisputeCursor): string =>
  Buffer.from(`${dueAt?.getTime() ?? ''}:${id}`).toString('base64url');

/** Undefined for a text that `writeCursor` does not write. */
function readCursor(text: string): DisputeCursor | undefined {
  const parts = /^(\d{0,15}):([\w.:-]{1,64})$/.exec(Buffer.from(text, 'base64url').toString());
  if (parts === null) return undefined;
  const [, ms = '', id = ''] = parts;
  return { id, dueAt: ms === '' ? undefined : new Date(Number(ms)) };
}

function disputeJson(dispute: QueuedDispute): DisputeBody {
  const { answer, currency } = dispute;
  return {
    dispute_id: dispute.id,
    payment_order_id: dispute.paymentOrderId,
    seller_account: dispute.sellerAccount,
    amount: formatMoney({ minor: dispute.amountMinor, currency }),
    currency,
    dispute_status: dispute.status,
    reason: dispute.reason ?? null,
    evidence_due_at: dispute.dueAt?.toISOString() ?? null,
    is_missed: dispute.isMissed,
    answer:
      answer === undefined
        ? null
        : {
            kind: answer.kind,
            answer_status: answer.state,
            failure: answer.failure ?? null,
            answered_by: answer.by,
            answered_at: answer.at.toISOString(),
            sent_at: answer.sentAt?.toISOString() ?? null,
          },
    documents: dispute.documents.map(({ purpose, contentType, size, addedAt }) => ({
      purpose,
      content_type: contentType,
      bytes: size,
      added_at: addedAt.toISOString(),
    })),
    opened_at: dispute.openedAt.toISOString(),
    closed_at: dispute.closedAt?.toISOString() ?? null,
  };
}
