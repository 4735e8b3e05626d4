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
