import { Type } from 'typebox';
import { oneOf } from './one-of.js';

/**
 * What somebody of the staff decides about what another one asked for, or about a payment that the risk
 * check held back.
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
