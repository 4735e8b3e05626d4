import { Type } from 'typebox';
import { PaymentOrder } from './payments.js';
import type { RouteContract } from './route-contract.js';

const ofCaller = { method: 'POST', listener: 'public', tag: 'payments', scopes: ['service'] } as const;
const byId = Type.Object({ payment_order_id: Type.String({ minLength: 1, maxLength: 64 }) });
const NewCapture = Type.Object(
  {
    amount: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 32,
        description: 'At most the authorized amount, the default.',
      }),
    ),
  },
  { additionalProperties: false },
);
const unknown = { description: 'The payment order does not exist or belongs to someone else.' };

export const postCapture = {
  ...ofCaller,
  operationId: 'postCapture',
  path: '/v1/payments/{payment_order_id}/capture',
  summary: 'Capture an authorized payment, in full or in part',
  description:
    'Once for each payment with `capture_method` `manual`, while `pending` is `capture`; the rest is ' +
    'released. The banks keep an authorization for about seven days. A repeated request has no further ' +
    'effect.',
  params: byId,
  body: { maxBytes: 1_024, contentTypes: ['application/json'], schema: NewCapture },
  responses: {
    200: { description: 'It was requested before, with this amount.', schema: PaymentOrder },
    202: { description: 'Stored; it is sent to the provider now.', schema: PaymentOrder },
    404: unknown,
    409: { description: 'It is not authorized, is being voided, or was captured with another amount.' },
    422: { description: 'The amount exceeds the authorized amount.' },
  },
} as const satisfies RouteContract;

export const postVoid = {
  ...ofCaller,
  operationId: 'postVoid',
  path: '/v1/payments/{payment_order_id}/void',
  summary: 'Release an authorized payment without capturing it',
  params: byId,
  responses: {
    200: { description: 'It was requested before.', schema: PaymentOrder },
    202: { description: 'Stored; it is sent to the provider now.', schema: PaymentOrder },
    404: unknown,
    409: { description: 'It is not authorized, or a capture was requested.' },
  },
} as const satisfies RouteContract;
