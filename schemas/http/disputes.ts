import { type Static, Type } from 'typebox';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';

const closed = { additionalProperties: false } as const;
const OrNull = <S extends ReturnType<typeof Type.String>>(schema: S) => Type.Union([schema, Type.Null()]);
const Instant = Type.String({ description: 'RFC 3339' });
/** Merchants see disputes of their seller accounts, finance all. */
const answering = { listener: 'both', tag: 'disputes', scopes: ['merchant', 'finance'] } as const;
const disputeId = { dispute_id: Type.String({ minLength: 1, maxLength: 64 }) };
const Purpose = oneOf(['receipt', 'communication', 'service', 'policy', 'other'] as const);
const DocumentType = oneOf(['application/pdf', 'image/png', 'image/jpeg'] as const);

const Answer = Type.Object({
  kind: oneOf(['evidence', 'acceptance'] as const),
  answer_status: oneOf(['waiting', 'sent', 'refused'] as const),
  failure: OrNull(
    Type.String({
      description:
        'While `waiting`: why the provider does not have it yet. `refused`: why the provider does not take ' +
        'it; another answer is possible before the deadline.',
    }),
  ),
  answered_by: Type.String(),
  answered_at: Instant,
  sent_at: OrNull(Instant),
});

const Dispute = Type.Object({
  dispute_id: Type.String({ description: "The provider's id." }),
  payment_order_id: Type.String(),
  seller_account: Type.String(),
  amount: Type.String(),
  currency: Type.String(),
  dispute_status: oneOf(['OPENED', 'WON', 'LOST'] as const),
  reason: OrNull(Type.String({ description: "The provider's word, for example `fraudulent`." })),
  evidence_due_at: OrNull(Type.String({ description: 'Until when it can be answered. RFC 3339' })),
  is_missed: Type.Boolean({ description: 'The deadline passed before the provider had an answer.' }),
  answer: Type.Union([Answer, Type.Null()]),
  documents: Type.Array(
    Type.Object({
      purpose: Purpose,
      content_type: DocumentType,
      bytes: Type.Integer(),
      added_at: Instant,
    }),
  ),
  opened_at: Instant,
  closed_at: OrNull(Instant),
});
export type DisputeBody = Static<typeof Dispute>;

const unknown = { description: 'No dispute of your payments has this id.' };
const notAnswerable = {
  description: 'It is won or lost, its deadline has passed, or another answer was given.',
};

export const getDisputes = {
  ...answering,
  operationId: 'getDisputes',
  method: 'GET',
  path: '/v1/disputes',
  summary: 'Disputes, the nearest deadline first',
  description: 'Those that are open, or of another state. Continue with `after=<next>`.',
  query: Type.Object({
    seller_account: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9 ._/-]+$' }),
    ),
    status: Type.Optional(oneOf(['OPENED', 'WON', 'LOST'] as const)),
    after: Type.Optional(
      Type.String({ maxLength: 160, pattern: '^[\\w-]+$', description: '`next` of a page.' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Default 50.' })),
  }),
  responses: {
    200: {
      description: 'One page.',
      schema: Type.Object({ disputes: Type.Array(Dispute), next: OrNull(Type.String()) }),
    },
    404: { description: 'You have no such seller account.' },
  },
} as const satisfies RouteContract;

export const getDispute = {
  ...answering,
  operationId: 'getDispute',
  method: 'GET',
  path: '/v1/disputes/{dispute_id}',
  summary: 'One dispute with its answer and documents',
  params: Type.Object(disputeId),
  responses: { 200: { description: 'Now.', schema: Dispute }, 404: unknown },
} as const satisfies RouteContract;

export const putDisputeDocument = {
  ...answering,
  operationId: 'putDisputeDocument',
  method: 'PUT',
  path: '/v1/disputes/{dispute_id}/documents/{purpose}',
  summary: 'Store a document that will be sent with the evidence',
  description:
    'A PDF, PNG or JPEG of at most 1,000,000 bytes. One for each purpose: another file replaces the one ' +
    'before, until the dispute is answered. No document may show a complete card number: one whose text or ' +
    'metadata holds it is refused, and so is a PDF that cannot be searched. Texts and documents are erased ' +
    '90 days after the end of the dispute (`DISPUTE_EVIDENCE_DAYS`).',
  params: Type.Object({ ...disputeId, purpose: Purpose }),
  body: {
    maxBytes: 1_000_000,
    contentTypes: ['application/pdf', 'image/png', 'image/jpeg'],
  },
  responses: {
    200: { description: 'The same file was stored before.', schema: Dispute },
    201: { description: 'Stored.', schema: Dispute },
    400: { description: 'Not a file of this type, not searchable, or with a card number.' },
    404: unknown,
    409: notAnswerable,
  },
} as const satisfies RouteContract;

const Text = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 5_000, pattern: '\\S', description }));

const Evidence = Type.Object(
  {
    explanation: Text('What happened, in your words.'),
    product_description: Text('What was sold.'),
    service_date: Text('When it was delivered or used.'),
    refund_policy: Text('How the buyer was told of your refund policy.'),
    refund_refusal: Text('Why the buyer is not entitled to a refund.'),
    cancellation_policy: Text('How the buyer was told of your cancellation policy.'),
    cancellation_rebuttal: Text('Why it was not cancelled in time.'),
    access_log: Text('When the buyer used it.'),
    duplicate_charge: Text('Why it is not a duplicate of another charge.'),
  },
  { ...closed, description: 'At least one text, unless the dispute has a document.' },
);

export const postDisputeEvidence = {
  ...answering,
  operationId: 'postDisputeEvidence',
  method: 'POST',
  path: '/v1/disputes/{dispute_id}/evidence',
  summary: 'Send evidence: these texts, and the documents of the dispute',
  description:
    'Once for each dispute, because banks take evidence once. It is stored before the answer and sent to ' +
    'the provider until the provider has it. The same request again has no further effect.',
  params: Type.Object(disputeId),
  body: { maxBytes: 65_536, contentTypes: ['application/json'], schema: Evidence },
  responses: {
    200: { description: 'The same evidence was given before.', schema: Dispute },
    202: { description: 'Stored; it is sent to the provider now.', schema: Dispute },
    404: unknown,
    409: notAnswerable,
    422: { description: 'There is neither a text nor a document.' },
  },
} as const satisfies RouteContract;

export const postDisputeAcceptance = {
  ...answering,
  operationId: 'postDisputeAcceptance',
  method: 'POST',
  path: '/v1/disputes/{dispute_id}/acceptance',
  summary: 'Give a dispute up: the buyer keeps the money',
  description:
    'Cannot be taken back. The provider closes the dispute as lost, and its webhook takes the amount from ' +
    'the seller.',
  params: Type.Object(disputeId),
  body: {
    maxBytes: 1_024,
    contentTypes: ['application/json'],
    schema: Type.Object(
      { reason: Type.String({ maxLength: 200, pattern: '\\S', description: 'Kept in the record.' }) },
      closed,
    ),
  },
  responses: {
    200: { description: 'It was accepted before.', schema: Dispute },
    202: { description: 'Stored; it is sent to the provider now.', schema: Dispute },
    404: unknown,
    409: notAnswerable,
  },
} as const satisfies RouteContract;

export const disputeContracts: readonly RouteContract[] = [
  getDisputes,
  getDispute,
  putDisputeDocument,
  postDisputeEvidence,
  postDisputeAcceptance,
];
