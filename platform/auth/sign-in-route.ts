import type { Config } from '#platform/config/settings.js';
import { type Route, route } from '#platform/http/http-types.js';
import { getSignIn, type SignIn, type SignInProvider } from '#schemas/http/sign-in.js';

const defaultScopes = 'openid profile';

/** How the pages of this listener get a token. */
export function signInRoute(config: Config, listener: 'public' | 'internal'): Route {
  const body = signInOf(config, listener);
  return route(getSignIn, () => ({ status: 200, headers: { 'cache-control': 'no-cache' }, body }));
}

function signInOf(config: Config, listener: 'public' | 'internal'): SignIn {
  const provider = providerOf(config, listener);
  if (provider !== null) return { method: 'openid_connect', provider };
  return { method: config.JWKS_URL === undefined ? 'development' : 'none', provider };
}

function providerOf(config: Config, listener: 'public' | 'internal'): SignInProvider | null {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_AUDIENCE_PARAMETER: parameter } = config;
  if (issuer === undefined || clientId === undefined) return null;
  const value = listener === 'public' ? config.TOKEN_AUDIENCE : config.INTERNAL_TOKEN_AUDIENCE;
  return {
    issuer,
    client_id: clientId,
    scopes: (config.OIDC_SCOPES ?? defaultScopes).split(' '),
    scope_prefix: config.OIDC_SCOPE_PREFIX ?? '',
    audience: parameter === undefined ? null : { parameter, value },
  };
}
