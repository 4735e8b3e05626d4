import { Type } from 'typebox';
import { type Route, route } from '#platform/http/http-types.js';
import type { RouteContract } from '#schemas/http/route-contract.js';
import type { DevelopmentIssuer } from './development-issuer.js';

const getKeySet = {
  operationId: 'getKeySet',
  method: 'GET',
  path: '/.well-known/jwks.json',
  listener: 'both',
  tag: 'development',
  summary: 'Public keys of the development issuer (RFC 7517)',
  scopes: 'open',
  responses: { 200: { description: 'Key set.', schema: Type.Object({ keys: Type.Array(Type.Unknown()) }) } },
} as const satisfies RouteContract;

export function keySetRoute(issuer: DevelopmentIssuer): Route {
  return route(getKeySet, () => ({
    status: 200,
    body: issuer.keySet,
    headers: { 'cache-control': 'public, max-age=300' },
  }));
}
