import type { Scope } from '#schemas/http/route-contract.js';
import type { SignInProvider } from '#schemas/http/sign-in.js';
import { RequestFailed } from '../http/ask.js';
import { signInPage } from './page-scopes.js';
import { renew } from './protocol.js';
import { endReason, endSession, type Session, sessionFor } from './sessions.js';
import { messages } from './sign-in-messages.js';

export { SignInBar } from './sign-in-bar.js';
export { SignInFirst, SignInGate } from './sign-in-gate.js';

const { scopes } = signInPage();
/** Tokens that the server refused, although they should still live, and what it said. */
const refused = new Map<string, string>();
let renewing: Promise<Session | null> | undefined;

/** One request for all that wait: providers take a refresh token once. */
function renewed(provider: SignInProvider, session: Session): Promise<Session | null> {
  renewing ??= renew(provider, session).finally(() => {
    renewing = undefined;
  });
  return renewing;
}

const isPast = (timeMs: number | null): boolean => timeMs !== null && timeMs <= Date.now();

/** The token of this page's person, renewed where that is due. Fails with 401 if nobody is signed in. */
export async function accessToken(provider: SignInProvider): Promise<string> {
  const session = sessionFor(scopes);
  if (session === null) throw new RequestFailed(401, endReason() ?? messages.needed);
  const reason = refused.get(session.accessToken);
  const isOver = reason !== undefined || isPast(session.endsMs);
  if (!isOver && !isPast(session.renewMs)) return session.accessToken;
  try {
    const next = await renewed(provider, session);
    if (next !== null) return next.accessToken;
  } catch (cause) {
    // The provider does not answer; what is left of the token is used.
    if (isOver) throw new RequestFailed(0, (cause as Error).message);
  }
  if (!isOver) return session.accessToken;
  endSession(session, reason ?? messages.ended);
  throw new RequestFailed(401, endReason() ?? messages.needed);
}

/** The server accepts this token no longer. */
export function refuse(token: string, reason: string | undefined): void {
  if (sessionFor(scopes)?.accessToken !== token) return;
  refused.clear();
  refused.set(token, reason === undefined ? messages.ended : messages.refusedByServer(reason));
}

/** What a person reads whose token lacks this scope; null if it has it. */
export const denied = (scope: Scope): string | null =>
  sessionFor(scopes)?.granted.includes(scope) === false ? messages.denied(scope) : null;
