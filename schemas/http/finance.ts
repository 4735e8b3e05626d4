import { type Static, Type } from 'typebox';
import { getFinanceAudit } from './finance-audit.js';
import { getFinanceBalances, getFinancePayment, getFinancePayments } from './finance-payments.js';
import { getFinancePaymentSettlement } from './finance-settlement.js';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';
import { getSettlementFile, postSettlementFile, postSettlementImport } from './settlement-files.js';

const closed = { additionalProperties: false } as const;
const OrNull = <S extends ReturnType<typeof Type.String>>(schema: S) => Type.Union([schema, Type.Null()]);
const Instant = Type.String({ description: 'RFC 3339' });
const Why = Type.String({
  minLength: 1,
  maxLength: 1_000,
  description: 'Kept permanently in the audit record.',
});
const Amount = Type.String({
  minLength: 1,
  maxLength: 32,
  description: 'Decimal string, for example "10.00".',
});
/** JSON numbers are exact up to this value; no greater ones occur. */
const numberMax = Number.MAX_SAFE_INTEGER;
const IdNumber = Type.Integer({ minimum: 1, maximum: numberMax });
const CurrencyCode = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' });
const finance = { listener: 'internal', scopes: ['finance'] } as const;
const json = { maxBytes: 4_096, contentTypes: ['application/json'] } as const;

const Entry = Type.Object(
  {
    debit: Type.String({ minLength: 1, maxLength: 96 }),
    credit: Type.String({ minLength: 1, maxLength: 96 }),
    amount: Amount,
    currency: CurrencyCode,
  },
  { ...closed, description: 'One movement between two ledger accounts, for example `cash-psp:EUR`.' },
);

const Decision = Type.Object({
  decision_no: Type.Integer(),
  action: oneOf(['adjust', 'dismiss', 'reverse'] as const),
  entry: Type.Union([Entry, Type.Null()]),
  converted: Type.Union([Entry, Type.Null()], { description: 'The second entry of a conversion.' }),
  who: Type.String(),
  why: Type.String(),
  at: Instant,
  needs_second: Type.Boolean(),
  second_who: OrNull(Type.String()),
  second_at: OrNull(Instant),
});

export const Finding = Type.Object({
  finding_no: Type.Integer(),
  file_id: OrNull(
    Type.String({ description: 'The settlement file that contains it; null if no file does.' }),
  ),
  line_no: Type.Union([Type.Integer(), Type.Null()]),
  kind: Type.String(),
  class: Type.Integer({
    description:
      '2: the cause is known; a person decides on a proposal. 3: the cause is not known yet; ' +
      'the proposal holds what the provider moved in suspense.',
  }),
  state: Type.String(),
  payment_order_id: OrNull(Type.String()),
  operation: OrNull(Type.String()),
  seller_account: OrNull(Type.String()),
  currency: Type.String(),
  psp_amount: OrNull(Type.String()),
  our_amount: OrNull(Type.String()),
  our_currency: OrNull(Type.String({ description: 'Of `our_amount`, if it is not `currency`.' })),
  found_at: Instant,
  proposal: Type.Array(Entry),
  entry_amount: Type.String({ description: 'The exact amount that an entry for this finding must move.' }),
  entry_currency: Type.String(),
  entry_accounts: Type.Array(Type.String(), { description: 'The accounts that the entry can use.' }),
  decisions: Type.Array(Decision),
});
export type Finding = Static<typeof Finding>;

export const getFindings = {
  ...finance,
  operationId: 'getFindings',
  method: 'GET',
  path: '/v1/finance/findings',
  tag: 'finance',
  summary: 'Open mismatches, oldest first',
  query: Type.Object({
    after: Type.Optional(Type.Integer({ minimum: 0, maximum: numberMax })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  }),
  responses: {
    200: { description: 'One page.', schema: Type.Object({ findings: Type.Array(Finding) }) },
  },
} as const satisfies RouteContract;

const Decided = Type.Object({
  decision_no: Type.Integer(),
  outcome: oneOf(['applied', 'awaiting_second'] as const),
});
const decided = {
  200: { description: 'Posted, or held until a second person approves.', schema: Decided },
  400: { description: 'The entry does not match this finding: the amount, currency or account differs.' },
  403: { description: 'The second person must not be the one who requested it.' },
  404: { description: 'No finding or decision has this number.' },
  409: { description: 'Someone else has already decided it.' },
} as const;

export const postDecision = {
  ...finance,
  operationId: 'postFinanceDecision',
  method: 'POST',
  path: '/v1/finance/findings/{finding_no}/decisions',
  tag: 'finance',
  summary: 'Resolve a mismatch: post an entry, or dismiss it',
  description:
    'Without an entry the finding is dismissed. An entry moves `entry_amount` between two of ' +
    '`entry_accounts`. A finding in two currencies (`currency_differs`) takes exactly its proposal: the ' +
    'first entry as `entry`, the second as `converted`, which are posted together. ' +
    "Above a limit, and always on a seller's account, it waits for a second person.",
  params: Type.Object({ finding_no: IdNumber }),
  body: {
    ...json,
    schema: Type.Object({ entry: Type.Optional(Entry), converted: Type.Optional(Entry), why: Why }, closed),
  },
  responses: decided,
} as const satisfies RouteContract;

const byDecision = Type.Object({ decision_no: IdNumber });

export const postApproval = {
  ...finance,
  operationId: 'postFinanceApproval',
  method: 'POST',
  path: '/v1/finance/decisions/{decision_no}/approval',
  tag: 'finance',
  summary: 'Approve a decision as the second person',
  params: byDecision,
  responses: decided,
} as const satisfies RouteContract;

export const postReversal = {
  ...finance,
  operationId: 'postFinanceReversal',
  method: 'POST',
  path: '/v1/finance/decisions/{decision_no}/reversal',
  tag: 'finance',
  summary: 'Reverse a decision with a counter-entry',
  params: byDecision,
  body: { ...json, schema: Type.Object({ why: Why }, closed) },
  responses: decided,
} as const satisfies RouteContract;

export const PaymentDeadLetter = Type.Object({
  id: Type.Integer(),
  kind: oneOf(['payment', 'refund'] as const),
  subject_id: Type.String(),
  cause: Type.String(),
  attempts: Type.Integer(),
  at: Instant,
  needs_person: Type.Boolean({
    description:
      'False: closed from the start, because nobody needs to act, for instance on a declined card.',
  }),
  can_redrive: Type.Boolean(),
  redriven_at: OrNull(Instant),
  redriven_by: OrNull(Type.String()),
  new_payment_order_id: OrNull(
    Type.String({ description: 'The payment order in the place of the failed one, if there is one.' }),
  ),
});
export type PaymentDeadLetter = Static<typeof PaymentDeadLetter>;

const PaymentDeadLetters = Type.Object({
  dead_letters: Type.Array(PaymentDeadLetter),
  next: Type.Union([Type.Integer(), Type.Null()]),
});
export type PaymentDeadLetters = Static<typeof PaymentDeadLetters>;

export const getPaymentDeadLetters = {
  ...finance,
  operationId: 'getPaymentDeadLetters',
  method: 'GET',
  path: '/v1/payment-dead-letters',
  tag: 'finance',
  summary: 'Payments and refunds that failed permanently',
  description:
    '`open`, the default, has those that need a person: not re-driven, and no failure that is normal. ' +
    '`all` has every payment order that failed for good and every refund that was given up.',
  query: Type.Object({
    which: Type.Optional(oneOf(['open', 'all'] as const)),
    before: Type.Optional(
      Type.Integer({ minimum: 1, maximum: numberMax, description: 'The `next` of the previous page.' }),
    ),
  }),
  responses: {
    200: {
      description: 'One page, newest first. Send `next` as `before`; it is null on the last page.',
      schema: PaymentDeadLetters,
    },
  },
} as const satisfies RouteContract;

export const postRedrive = {
  ...finance,
  operationId: 'postPaymentRedrive',
  method: 'POST',
  path: '/v1/payment-dead-letters/{id}/redrive',
  tag: 'finance',
  summary: 'Retry a refund, or put a new payment order in the place of one that failed',
  description:
    'A refund is requested again. A failed payment order is final: a new one with `retry_of`, in a ' +
    'payment event of its own, takes its place. For 24 hours by default the buyer can pay it at its ' +
    '`payment_page_url`; no card is charged before. If the risk rules, a person or the suspicion of the ' +
    'bank refused the first one, another person must approve the new one before ' +
    '(`/v1/payments/{payment_order_id}/review`). `can_redrive` says whether it is possible: once, ' +
    'only if no service retries the payment by itself, and not if the caller cancelled it.',
  params: Type.Object({ id: IdNumber }),
  responses: {
    200: { description: 'It is retried now.', schema: PaymentDeadLetter },
    404: { description: 'No dead letter has this id.' },
    409: { description: 'It was already retried, or cannot be.' },
  },
} as const satisfies RouteContract;

export const getMoneyProof = {
  ...finance,
  operationId: 'getMoneyProof',
  method: 'GET',
  path: '/v1/finance/proof',
  tag: 'finance',
  summary: 'The share of all money on which orders, ledger, wallets and settlement agree',
  description: 'Amounts that a person posted or dismissed count as unproven.',
  responses: {
    200: {
      description: 'The current figures.',
      schema: Type.Object({
        share: Type.Number({ description: 'The lowest share of all currencies.' }),
        currencies: Type.Array(
          Type.Object({
            currency: CurrencyCode,
            share: Type.Number(),
            proven_minor: Type.String(),
            total_minor: Type.String(),
            by_hand_minor: Type.String({
              description: 'The part of the total that people posted. It never counts as proven.',
            }),
          }),
        ),
        unproven: Type.Integer(),
        wallets_wrong: Type.Integer(),
        ledger_sum: Type.String(),
        findings_open: Type.Integer(),
      }),
    },
  },
} as const satisfies RouteContract;

export const financeContracts: readonly RouteContract[] = [
  getFindings,
  postDecision,
  postApproval,
  postReversal,
  getPaymentDeadLetters,
  postRedrive,
  getMoneyProof,
  getFinancePayments,
  getFinancePayment,
  getFinancePaymentSettlement,
  getFinanceBalances,
  getFinanceAudit,
  postSettlementFile,
  postSettlementImport,
  getSettlementFile,
];
