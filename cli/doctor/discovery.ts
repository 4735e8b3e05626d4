import type { Config } from '#platform/config/settings.js';
import { type Answer, failed, ok, warning } from './finding.js';

const answerWithinMs = 5_000;

interface Discovered {
  readonly issuer?: unknown;
  readonly authorization_endpoint?: unknown;
  readonly token_endpoint?: unknown;
  readonly jwks_uri?: unknown;
  readonly code_challenge_methods_supported?: unknown;
}

/** Whether the discovery document has what the pages need, and fits the settings. */
export async function checkDiscovery(issuer: string, config: Pick<Config, 'JWKS_URL'>): Promise<Answer> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const answer = await fetch(url, { signal: AbortSignal.timeout(answerWithinMs) });
  const advice = 'Pages cannot sign in: correct OIDC_ISSUER.';
  if (!answer.ok) return failed(`${url} answers ${answer.status}`, advice);
  const found = (await answer.json().catch(() => ({}))) as Discovered;
  if (found.issuer !== issuer) return failed(`${url} is of the issuer ${String(found.issuer)}`, advice);
  const { origin } = new URL(issuer);
  const missing = (['authorization_endpoint', 'token_endpoint'] as const).filter(
    (name) => !URL.canParse(String(found[name])),
  );
  if (missing.length > 0) return failed(`${url} has no ${missing.join(' and no ')}`, advice);
  const token = new URL(String(found.token_endpoint));
  if (token.origin !== origin)
    return failed(
      `the token endpoint ${token.href} is not at ${origin}, so pages may not reach it`,
      'Use a provider, or a domain of it, with both at one origin.',
    );
  const methods = found.code_challenge_methods_supported;
  if (Array.isArray(methods) && !methods.includes('S256'))
    return failed(`${url} does not offer PKCE with S256`, 'Allow it for the client of the pages.');
  if (found.jwks_uri !== config.JWKS_URL)
    return warning(
      `its keys are at ${String(found.jwks_uri)}, and JWKS_URL is another address`,
      'Set JWKS_URL to that address, unless both have the same keys.',
    );
  return ok(`${url} fits the settings`);
}
