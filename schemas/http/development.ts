import { type Static, Type } from 'typebox';
import { oneOf } from './one-of.js';
import { type RouteContract, scopes } from './route-contract.js';

export const DevelopmentSession = Type.Object({
  token: Type.String(),
  sub: Type.String(),
  expires_at: Type.String(),
});
export type DevelopmentSession = Static<typeof DevelopmentSession>;

/**
 * Exists only while the development issuer signs the tokens; it refuses to start with NODE_ENV=production.
 */
export const postDevelopmentSession = {
  operationId: 'postDevelopmentSession',
  method: 'POST',
  path: '/v1/development/session',
  listener: 'both',
  tag: 'development',
  summary: 'A bearer token of the development issuer, for the demo page on this machine',
  scopes: 'open',
  body: {
    maxBytes: 1_024,
    contentTypes: ['application/json'],
    schema: Type.Object(
      {
        sub: Type.String({ minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9._:-]+$' }),
        scope: oneOf(scopes),
      },
      { additionalProperties: false },
    ),
  },
  responses: {
    201: { description: 'A token that is valid for one hour.', schema: DevelopmentSession },
    403: {
      description:
        'The request does not come from a page of this server on this machine, or comes through a proxy.',
    },
  },
} as const satisfies RouteContract;
