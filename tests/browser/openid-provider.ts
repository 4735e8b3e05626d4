import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { exportJWK, generateKeyPair } from 'jose';
import Provider from 'oidc-provider';

export const audiences = { public: 'https://maps.test/api', internal: 'https://maps.test/internal' };
const apiScopes = ['customer', 'operator', 'desk', 'finance', 'payouts'];
/** As Entra: before scopes in requests and answers; its tokens have their names in `scp`. */
export const prefix = 'api://maps/';
const nameOf = (scope: string) => (scope.startsWith(prefix) ? scope.slice(prefix.length) : scope);

export interface OpenIdProvider {
  readonly issuer: string;
  readonly clientId: string;
  /** How long access tokens live from now on. */
  lifetimeS: number;
  /** Whether it gives refresh tokens from now on. */
  givesRefreshTokens: boolean;
  close(): Promise<void>;
}

interface Token {
  readonly accountId: string;
  scope: string;
}

/**
 * A provider that has nothing to do with ours (oidc-provider of panva), on loopback. Its own pages ask for a
 * name and for consent. Whatever a page requests, a person gets the scopes that `scopesOf` names.
 */
export async function startOpenIdProvider(
  port: number,
  origins: readonly string[],
  scopesOf: (account: string) => readonly string[],
): Promise<OpenIdProvider> {
  const issuer = `http://localhost:${port}`;
  const clientId = 'meridian-pages';
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'k1' };
  const state = { lifetimeS: 600, givesRefreshTokens: true };
  const uris = origins.map((origin) => `${origin}/sign-in/`);
  const theirs = ({ accountId, scope }: Token): string =>
    scope
      .split(' ')
      .filter((each) => !apiScopes.includes(nameOf(each)) || scopesOf(accountId).includes(nameOf(each)))
      .join(' ');
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        token_endpoint_auth_method: 'none',
        redirect_uris: uris,
        post_logout_redirect_uris: uris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: ['only-for-tests'] },
    claims: { openid: ['sub'], profile: ['name'] },
    conformIdTokenClaims: false,
    clientBasedCORS: (_: unknown, origin: string) => origins.includes(origin),
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, name: `Name of ${id}` }),
    }),
    issueRefreshToken: () => state.givesRefreshTokens,
    ttl: {
      AccessToken: () => state.lifetimeS,
      IdToken: 600,
      Session: 3_600,
      Grant: 3_600,
      Interaction: 600,
      RefreshToken: 3_600,
    },
    features: {
      devInteractions: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_: unknown, resource: string) => ({
          scope: [...apiScopes, ...apiScopes.map((each) => prefix + each)].join(' '),
          audience: resource,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    // First in the answer, then in the token.
    extraTokenClaims: (_: unknown, token: Token) => {
      token.scope = theirs(token);
      return {};
    },
    formats: {
      customizers: {
        jwt: (
          _: unknown,
          token: Token,
          { payload }: { readonly payload: { scope?: string; scp?: string[] } },
        ) => {
          const scope = theirs(token);
          payload.scope = scope;
          if (!scope.includes(prefix)) return;
          delete payload.scope;
          payload.scp = scope.split(' ').map(nameOf);
        },
      },
    },
  });
  const server: Server = createServer(provider.callback()).listen(port, 'localhost');
  await once(server, 'listening');
  return {
    issuer,
    clientId,
    get lifetimeS() {
      return state.lifetimeS;
    },
    set lifetimeS(seconds) {
      state.lifetimeS = seconds;
    },
    get givesRefreshTokens() {
      return state.givesRefreshTokens;
    },
    set givesRefreshTokens(gives) {
      state.givesRefreshTokens = gives;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
