import { Type } from 'typebox';
import type { RouteContract } from './route-contract.js';

export const postPspWebhook = {
  operationId: 'postPspWebhook',
  method: 'POST',
  path: '/v1/psp/webhooks',
  listener: 'public',
  tag: 'payments',
  summary: 'Webhooks of the payment service provider, signed as in Standard Webhooks',
  description:
    'Headers: `webhook-id`, `webhook-timestamp`, `webhook-signature`. Recorded once per id, and ' +
    'only with a valid signature.',
  scopes: 'open',
  body: { maxBytes: 64 * 1024, contentTypes: ['application/json'] },
  responses: {
    204: { description: 'Recorded now or earlier.' },
    400: { description: 'The signature is valid, but the body is not recognised.' },
    401: {
      description:
        'The signature is missing or invalid, or the timestamp is too old or in the future. Nothing ' +
        'was changed.',
    },
    409: { description: 'Recorded without effect: another provider has the payment order.' },
  },
} as const satisfies RouteContract;

export const postProviderWebhook = {
  operationId: 'postProviderWebhook',
  method: 'POST',
  path: '/v1/psp/{provider}/webhooks',
  listener: 'public',
  tag: 'payments',
  summary: 'Webhooks of one of several payment service providers, signed as that provider does',
  description:
    '`stripe`: header `Stripe-Signature`. `psp`: as `/v1/psp/webhooks`. Recorded once per id, and only ' +
    'with a valid signature.',
  scopes: 'open',
  params: Type.Object({
    provider: Type.String({ minLength: 1, maxLength: 32, pattern: '^[a-z][a-z0-9-]*$' }),
  }),
  body: { maxBytes: 64 * 1024, contentTypes: ['application/json'] },
  responses: {
    204: { description: 'Recorded now or earlier.' },
    400: { description: 'The signature is valid, but the body is not recognised.' },
    401: { description: 'The signature is missing, invalid or too old. Nothing was changed.' },
    404: { description: 'No provider of this name is configured.' },
    409: { description: 'Recorded without effect: another provider has the payment order.' },
  },
} as const satisfies RouteContract;
