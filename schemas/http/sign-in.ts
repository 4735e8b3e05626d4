import { type Static, Type } from 'typebox';
import { oneOf } from './one-of.js';
import type { RouteContract } from './route-contract.js';

/** Names under which providers take the audience of a token: RFC 8707, and what Auth0 calls it. */
export const audienceParameters = ['resource', 'audience'] as const;

export const SignInProvider = Type.Object({
  issuer: Type.String({ description: 'Its configuration is below it: /.well-known/openid-configuration.' }),
  client_id: Type.String(),
  scopes: Type.Array(Type.String(), { description: 'Requested beside the scopes that a page needs.' }),
  scope_prefix: Type.String({
    description: 'Before each scope that a page needs, in requests and answers of the provider; often empty.',
  }),
  audience: Type.Union([
    Type.Object({ parameter: oneOf(audienceParameters), value: Type.String() }),
    Type.Null(),
  ]),
});
export type SignInProvider = Static<typeof SignInProvider>;

export const SignIn = Type.Object({
  method: oneOf(['development', 'openid_connect', 'none']),
  /** With `openid_connect` only. */
  provider: Type.Union([SignInProvider, Type.Null()]),
});
export type SignIn = Static<typeof SignIn>;

export const getSignIn = {
  operationId: 'getSignIn',
  method: 'GET',
  path: '/v1/sign-in',
  listener: 'both',
  tag: 'sign-in',
  summary: 'How a page gets a bearer token for this listener',
  description:
    '`development`: at `/v1/development/session`, on this machine only. `openid_connect`: from `provider`, ' +
    'by the authorization code flow with PKCE. `none`: pages get no token.',
  scopes: 'open',
  responses: { 200: { description: 'The method, and the provider if there is one.', schema: SignIn } },
} as const satisfies RouteContract;
