import { type HttpAnswer, type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import {
  type Finding as FindingBody,
  getFindings,
  getMoneyProof,
  getPaymentDeadLetters,
  type PaymentDeadLetter,
  postApproval,
  postDecision,
  postRedrive,
  postReversal,
} from '#schemas/http/finance.js';
import { formatMoney, parseMoney } from '../money/money.js';
import { type DeadLetter, listDeadLetters, readDeadLetter } from '../orders/dead-letters.js';
import { redriveDeadLetter } from '../orders/redrive-dead-letter.js';
import type { PaymentService } from '../payment-service.js';
import { type Decision, decisionsOf, type Entry } from '../reconciliation/decision.js';
import {
  approve,
  type Decided,
  decide,
  type FinanceDeps,
  listFindings,
  type QueuedFinding,
  reverse,
} from '../reconciliation/finance-queue.js';
import { proveMoney } from '../reconciliation/prove-money.js';
import { catchUnavailable } from './catch-unavailable.js';
import * as messages from './messages.js';
import { paymentProblems } from './payment-problems.js';

const pageDefault = 50;

/**
 * For people with the scope `finance`, on the internal listener: the token identifies the person who decides,
 * and the record names them.
 */
export const financeRoutes = (service: PaymentService): readonly Route[] => {
  const deps: FinanceDeps = {
    sql: service.sql,
    now: () => new Date(service.submit.nowMs()),
    secondPersonAboveMinor: service.submit.settings.secondPersonAboveMinor,
  };
  return [
    route(getFindings, ({ query }) =>
      catchUnavailable(async () => {
        const found = await listFindings(service.sql, {
          limit: query.limit ?? pageDefault,
          ...(query.after === undefined ? {} : { after: BigInt(query.after) }),
        });
        const findings: FindingBody[] = [];
        for (const finding of found)
          findings.push(findingJson(finding, await decisionsOf(service.sql, finding.findingNo)));
        return { status: 200, body: { findings } };
      }),
    ),
    route(postDecision, ({ params, body, identity }) =>
      catchUnavailable(async () => {
        const entry = body.entry === undefined ? undefined : entryOf(body.entry);
        if (typeof entry === 'string') return wrongEntry(entry);
        const converted = body.converted === undefined ? undefined : entryOf(body.converted);
        if (typeof converted === 'string') return wrongEntry(converted);
        const findingNo = BigInt(params.finding_no);
        const decision = {
          findingNo,
          who: identity.userId,
          why: body.why,
          ...(entry === undefined ? {} : { entry }),
          ...(converted === undefined ? {} : { converted }),
        };
        return answer(await decide(deps, decision));
      }),
    ),
    route(postApproval, ({ params, identity }) =>
      catchUnavailable(async () => answer(await approve(deps, BigInt(params.decision_no), identity.userId))),
    ),
    route(postReversal, ({ params, body, identity }) =>
      catchUnavailable(async () => {
        const reversal = { decisionNo: BigInt(params.decision_no), who: identity.userId, why: body.why };
        return answer(await reverse(deps, reversal));
      }),
    ),
    route(getPaymentDeadLetters, ({ query }) =>
      catchUnavailable(async () => {
        const { letters, next = null } = await listDeadLetters(
          service.sql,
          query.which ?? 'open',
          query.before,
        );
        return { status: 200, body: { dead_letters: letters.map(letterJson), next } };
      }),
    ),
    route(postRedrive, ({ params, identity }) =>
      catchUnavailable(async () => {
        const redriven = await redriveDeadLetter(service.sql, params.id, identity.userId, {
          nowMs: service.submit.nowMs(),
          redrivenMs: service.submit.settings.redrivenMs,
        });
        if (redriven === 'unknown') return problem(problems.notFound, messages.noDeadLetter);
        if (redriven !== 'redriven') return problem(paymentProblems.notRedriven);
        service.wake();
        return { status: 200, body: letterJson((await readDeadLetter(service.sql, params.id))!) };
      }),
    ),
    route(getMoneyProof, () =>
      catchUnavailable(async () => {
        const proof = await proveMoney(service.sql);
        return {
          status: 200,
          body: {
            share: proof.share,
            currencies: proof.currencies.map(({ currency, share, provenMinor, totalMinor, byHandMinor }) => ({
              currency,
              share,
              proven_minor: provenMinor.toString(),
              total_minor: totalMinor.toString(),
              by_hand_minor: byHandMinor.toString(),
            })),
            unproven: Number(proof.unproven),
            wallets_wrong: Number(proof.walletsWrong),
            ledger_sum: proof.ledgerSum.toString(),
            findings_open: Number(proof.findingsOpen),
          },
        };
      }),
    ),
  ];
};

/** The entry, or what is wrong with its amount. */
function entryOf(given: {
  readonly debit: string;
  readonly credit: string;
  readonly amount: string;
  readonly currency: string;
}): Entry | string {
  const parsed = parseMoney(given.amount, given.currency);
  if (parsed.kind === 'refused') return parsed.reason;
  return { debit: given.debit, credit: given.credit, amount: parsed.money };
}

const wrongEntry = (reason: string): HttpAnswer =>
  problem(problems.invalid, messages.badFields, {
    errors: [{ pointer: '/entry', message: reason }],
  });

function answer(decided: Decided): HttpAnswer {
  switch (decided.kind) {
    case 'applied':
    case 'awaiting_second':
      return { status: 200, body: { decision_no: Number(decided.decisionNo), outcome: decided.kind } };
    case 'not_found':
      return problem(problems.notFound, messages.noFinding);
    case 'not_open':
      return problem(paymentProblems.decided);
    case 'same_person':
      return problem(paymentProblems.samePerson);
    case 'invalid':
      return wrongEntry(decided.reason);
  }
}

function findingJson(finding: QueuedFinding, decisions: readonly Decision[]): FindingBody {
  const { currency } = finding;
  const amount = (minor: bigint | undefined, of = currency) =>
    minor === undefined ? null : formatMoney({ minor, currency: of });
  return {
    finding_no: Number(finding.findingNo),
    file_id: finding.fileId ?? null,
    line_no: finding.lineNo ?? null,
    kind: finding.kind,
    class: finding.class,
    state: finding.state,
    payment_order_id: finding.paymentOrderId ?? null,
    operation: finding.operation ?? null,
    seller_account: finding.seller ?? null,
    currency,
    psp_amount: amount(finding.pspMinor),
    our_amount: amount(finding.ourMinor, finding.ourCurrency),
    our_currency: finding.ourCurrency ?? null,
    found_at: finding.foundAt.toISOString(),
    proposal: finding.proposal.map(entryJson),
    entry_amount: formatMoney(finding.bounds.amount),
    entry_currency: finding.bounds.amount.currency,
    entry_accounts: [...finding.bounds.accounts],
    decisions: decisions.map((decision) => ({
      decision_no: Number(decision.decisionNo),
      action: decision.action,
      entry: decision.entry === undefined ? null : entryJson(decision.entry),
      converted: decision.converted === undefined ? null : entryJson(decision.converted),
      who: decision.who,
      why: decision.why,
      at: decision.at.toISOString(),
      needs_second: decision.needsSecond,
      second_who: decision.second?.who ?? null,
      second_at: decision.second?.at.toISOString() ?? null,
    })),
  };
}

const entryJson = ({ debit, credit, amount }: Entry) => ({
  debit,
  credit,
  amount: formatMoney(amount),
  currency: amount.currency,
});

const letterJson = (letter: DeadLetter): PaymentDeadLetter => ({
  id: letter.id,
  kind: letter.kind,
  subject_id: letter.subjectId,
  cause: letter.cause,
  attempts: letter.attempts,
  at: letter.at.toISOString(),
  needs_person: letter.needsPerson,
  can_redrive: letter.canRedrive,
  redriven_at: letter.redrivenAt?.toISOString() ?? null,
  redriven_by: letter.redrivenBy ?? null,
  new_payment_order_id: letter.newOrderId ?? null,
});
