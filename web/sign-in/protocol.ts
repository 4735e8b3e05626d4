import * as oauth from 'oauth4webapi';
import type { SignInProvider } from '#schemas/http/sign-in.js';
import { keptByTab } from '../http/kept.js';
import { failureOf, SignInFailed } from './failures.js';
import { leavingForSignIn } from './leaving.js';
import { forgetSessions, putSession, type Session, sessionFor } from './sessions.js';

/** The authorization code flow with PKCE of a public client (RFC 9700, OpenID Connect Core). */

/** The only redirect URI of an origin: providers compare it as text. */
const callbackPath = '/sign-in/';
const answerWithinMs = 15_000;
const renewBeforeMs = 60_000;
const attemptKey = 'meridian-sign-in-attempt';

/** What the tab knows while the browser is at the provider. */
interface Attempt {
  /** `out`: it comes back from the end of a session. */
  readonly kind: 'in' | 'out';
  /** The page on which it began. */
  readonly address: string;
  readonly scopes: readonly string[];
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

interface Discovered {
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly options: { readonly [oauth.allowInsecureRequests]: boolean; readonly signal: AbortSignal };
}

const callbackUrl = (): string => location.origin + callbackPath;

async function discover(provider: SignInProvider): Promise<Discovered> {
  const issuer = new URL(provider.issuer);
  // The settings allow http on loopback only.
  const options = {
    [oauth.allowInsecureRequests]: issuer.protocol === 'http:',
    signal: AbortSignal.timeout(answerWithinMs),
  };
  const response = await oauth.discoveryRequest(issuer, options);
  const server = await oauth.processDiscoveryResponse(issuer, response);
  return { server, client: { client_id: provider.client_id }, options };
}

const audienceOf = ({ audience }: SignInProvider): Record<string, string> =>
  audience === null ? {} : { [audience.parameter]: audience.value };

/** An address of the provider for the browser; never one that runs a script. */
function endpoint(text: string | undefined, { options }: Discovered): URL {
  if (text === undefined) throw new SignInFailed('provider');
  const url = new URL(text);
  oauth.checkProtocol(url, !options[oauth.allowInsecureRequests]);
  return url;
}

/** Goes to the provider; the person comes back to this address. */
export async function signIn(
  provider: SignInProvider,
  scopes: readonly string[],
  address = location.href,
): Promise<void> {
  try {
    const found = await discover(provider);
    const attempt: Attempt = {
      kind: 'in',
      address,
      scopes,
      state: oauth.generateRandomState(),
      nonce: oauth.generateRandomNonce(),
      verifier: oauth.generateRandomCodeVerifier(),
    };
    const url = endpoint(found.server.authorization_endpoint, found);
    const asked = {
      client_id: provider.client_id,
      redirect_uri: callbackUrl(),
      response_type: 'code',
      scope: [...provider.scopes, ...scopes.map((each) => provider.scope_prefix + each)].join(' '),
      code_challenge: await oauth.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
      state: attempt.state,
      nonce: attempt.nonce,
      ...audienceOf(provider),
    };
    for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
    keptByTab.set(attemptKey, JSON.stringify(attempt));
    dispatchEvent(new Event(leavingForSignIn));
    location.assign(url);
  } catch (cause) {
    throw failureOf(cause);
  }
}

/** The attempt of this tab, which can be used once. */
export function takeAttempt(): Attempt | null {
  const kept = keptByTab.get(attemptKey);
  keptByTab.remove(attemptKey);
  if (kept === null) return null;
  const attempt = JSON.parse(kept) as Attempt;
  return new URL(attempt.address).origin === location.origin ? attempt : null;
}

/** Exchanges the code in the address of the callback page for tokens. */
export async function finishSignIn(provider: SignInProvider, attempt: Attempt, url: URL): Promise<void> {
  try {
    const { server, client, options } = await discover(provider);
    const parameters = oauth.validateAuthResponse(server, client, url, attempt.state);
    const response = await oauth.authorizationCodeGrantRequest(
      ...([server, client, oauth.None(), parameters, callbackUrl(), attempt.verifier] as const),
      { ...options, additionalParameters: audienceOf(provider) },
    );
    const answer = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: attempt.nonce,
      requireIdToken: true,
    });
    putSession(sessionOf(answer, provider, attempt.scopes, null));
  } catch (cause) {
    throw failureOf(cause);
  }
}

/** A session that goes on with a fresh token; null if the provider has ended it. */
export async function renew(provider: SignInProvider, session: Session): Promise<Session | null> {
  if (session.refreshToken === null) return null;
  try {
    const { server, client, options } = await discover(provider);
    const response = await oauth.refreshTokenGrantRequest(
      ...([server, client, oauth.None(), session.refreshToken] as const),
      { ...options, additionalParameters: audienceOf(provider) },
    );
    const answer = await oauth.processRefreshTokenResponse(server, client, response);
    const renewed = sessionOf(answer, provider, session.asked, session);
    putSession(renewed);
    return renewed;
  } catch (cause) {
    // invalid_grant: it was used, withdrawn, or is too old.
    if (cause instanceof oauth.ResponseBodyError) return null;
    throw failureOf(cause);
  }
}

function sessionOf(
  answer: oauth.TokenEndpointResponse,
  { scope_prefix: prefix }: SignInProvider,
  asked: readonly string[],
  before: Session | null,
): Session {
  const { expires_in: lifetimeS, scope } = answer;
  const nameOf = (granted: string) => (granted.startsWith(prefix) ? granted.slice(prefix.length) : granted);
  const claims = oauth.getValidatedIdTokenClaims(answer);
  const named = [claims?.['name'], claims?.['preferred_username'], claims?.['email'], before?.name];
  const lifetimeMs = lifetimeS === undefined ? null : lifetimeS * 1_000;
  const now = Date.now();
  return {
    asked,
    granted: scope === undefined ? (before?.granted ?? asked) : scope.split(' ').map(nameOf),
    accessToken: answer.access_token,
    endsMs: lifetimeMs === null ? null : now + lifetimeMs,
    renewMs: lifetimeMs === null ? null : now + lifetimeMs - Math.min(renewBeforeMs, lifetimeMs / 2),
    refreshToken: answer.refresh_token ?? before?.refreshToken ?? null,
    idToken: answer.id_token ?? before?.idToken ?? null,
    name: (named.find((each) => typeof each === 'string' && each !== '') as string | undefined) ?? null,
  };
}

/**
 * Forgets the tokens of this tab first, whatever the provider answers. Then it ends the session at the
 * provider, which sends the browser back here; a provider without such an address keeps its session.
 */
export async function signOut(provider: SignInProvider, scopes: readonly string[]): Promise<void> {
  const session = sessionFor(scopes);
  forgetSessions();
  try {
    const found = await discover(provider);
    const { server, client, options } = found;
    if (session !== null && session.refreshToken !== null && server.revocation_endpoint !== undefined) {
      const { refreshToken } = session;
      await oauth.revocationRequest(server, client, oauth.None(), refreshToken, options).catch(() => {});
    }
    if (server.end_session_endpoint === undefined) return;
    const url = endpoint(server.end_session_endpoint, found);
    url.searchParams.set('client_id', provider.client_id);
    url.searchParams.set('post_logout_redirect_uri', callbackUrl());
    if (session !== null && session.idToken !== null) url.searchParams.set('id_token_hint', session.idToken);
    const nothing = { scopes, state: '', nonce: '', verifier: '' };
    const attempt: Attempt = { kind: 'out', address: location.href, ...nothing };
    keptByTab.set(attemptKey, JSON.stringify(attempt));
    location.assign(url);
  } catch (cause) {
    throw failureOf(cause);
  }
}
