import type { DevelopmentSession } from '#schemas/http/development.js';
import { ask, type Request, RequestFailed } from '../http/ask.js';
import { sessionPath } from '../http/paths.js';
import { messages } from './messages.js';

const renewBeforeMs = 60_000;
/** By person and scope. */
const sessions = new Map<string, DevelopmentSession>();

/** `payouts` requests payouts; everything else on these pages is for `finance`. */
type Scope = 'finance' | 'payouts';

/**
 * A member of finance, by name: the second person must be a different one. Demo tokens exist only on this
 * machine.
 */
export async function askAsPerson<Answer>(
  person: string,
  path: string,
  request: Request = {},
  scope: Scope = 'finance',
): Promise<Answer> {
  const once = async () =>
    (await ask<Answer>(path, { ...request, token: await tokenOf(person, scope) })) as Answer;
  try {
    return await once();
  } catch (cause) {
    if (!(cause instanceof RequestFailed) || cause.status !== 401) throw cause;
    sessions.delete(`${scope} ${person}`);
    return await once();
  }
}

async function tokenOf(person: string, scope: Scope): Promise<string> {
  const known = sessions.get(`${scope} ${person}`);
  if (known !== undefined && Date.parse(known.expires_at) - Date.now() > renewBeforeMs) return known.token;
  const body = { sub: person, scope };
  const session = await ask<DevelopmentSession>(sessionPath, { method: 'POST', body });
  if (session === null) throw new RequestFailed(204, messages.noToken);
  sessions.set(`${scope} ${person}`, session);
  return session.token;
}
