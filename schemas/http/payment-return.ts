import { Type } from 'typebox';
import { PaymentOrderStatus } from './payments.js';
import type { RouteContract } from './route-contract.js';

export const getPaymentReturn = {
  operationId: 'getPaymentReturn',
  method: 'GET',
  path: '/v1/payment-return',
  listener: 'public',
  tag: 'payments',
  summary: 'Return address for the browser after the payment provider’s page',
  description: '`payResult` is not trusted. The server asks the provider for the result.',
  scopes: 'open',
  query: Type.Object({
    tokenID: Type.String({ minLength: 1, maxLength: 128, pattern: '^[\\w-]+$' }),
    payResult: Type.Optional(Type.String({ maxLength: 32 })),
  }),
  responses: {
    200: {
      description: 'The status of the payment order.',
      schema: Type.Object({
        payment_order_id: Type.String(),
        payment_order_status: PaymentOrderStatus,
        is_final: Type.Boolean(),
      }),
    },
    404: { description: 'The token is not known.' },
  },
} as const satisfies RouteContract;
