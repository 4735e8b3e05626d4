import { Type } from 'typebox';
import { oneOf } from './one-of.js';

/**
 * A staff member's decision about another one's request, or about a payment that the risk check held back.
 */
export const SecondReview = Type.Object(
  {
    decision: oneOf(['approve', 'deny'] as const),
    reason: Type.String({
      maxLength: 200,
      pattern: '\\S',
      description: 'Kept permanently in the audit record.',
    }),
  },
  { additionalProperties: false },
);

const OrNull = <S extends ReturnType<typeof Type.String>>(schema: S) => Type.Union([schema, Type.Null()]);
const Instant = Type.String({ description: 'RFC 3339' });

/** Of what one person requests and a second one decides about. */
export const requestedAndReviewed = {
  requested_by: Type.String(),
  requested_at: Instant,
  reason: Type.String(),
  reviewed_by: OrNull(Type.String()),
  reviewed_at: OrNull(Instant),
  review_reason: OrNull(Type.String()),
};

/** The query of a list in the order of its numbers. */
export const pageByNumber = {
  after: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,15}$', description: '`next` of a page.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Default 50.' })),
};
