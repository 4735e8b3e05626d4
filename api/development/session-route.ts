import type { DevelopmentIssuer } from '#platform/auth/development-issuer.js';
import { type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import { postDevelopmentSession } from '#schemas/http/development.js';
import { isLocalPage } from './is-local-page.js';

const lifetimeS = 3_600;

/** Tokens for the demo page. It is mounted only where the development issuer signs, never in production. */
export const developmentSessionRoute = (
  issuer: DevelopmentIssuer,
  nowMs: () => number,
  /** Then a request from this machine may come from anywhere. */
  isBehindProxy: boolean,
): Route =>
  route(postDevelopmentSession, async (request) => {
    if (isBehindProxy || !isLocalPage(request))
      return problem(
        problems.forbidden,
        'Tokens are issued only to a page of this server that is opened on this machine without a proxy. ' +
          'Otherwise, run `meridian token`.',
      );
    const { sub, scope } = request.body;
    const expiresMs = nowMs() + lifetimeS * 1_000;
    const token = await issuer.issueToken({ sub, scopes: [scope], ttlS: lifetimeS });
    return {
      status: 201,
      headers: { 'cache-control': 'no-store' },
      body: { token, sub, expires_at: new Date(expiresMs).toISOString() },
    };
  });
