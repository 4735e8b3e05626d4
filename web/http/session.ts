import type { DevelopmentSession } from '#schemas/http/development.js';
import { ask, RequestFailed } from './ask.js';
import { noDemoToken } from './messages.js';
import { sessionPath } from './paths.js';

type DemoScope = 'operator' | 'customer';

const renewBeforeMs = 60_000;
const sessions = new Map<DemoScope, Promise<DevelopmentSession>>();
const visitor = Math.random().toString(36).slice(2, 8);

async function openSession(scope: DemoScope): Promise<DevelopmentSession> {
  const sub = scope === 'operator' ? 'demo-operator' : `demo-${visitor}`;
  const session = await ask<DevelopmentSession>(sessionPath, { method: 'POST', body: { sub, scope } });
  if (session === null) throw new RequestFailed(204, noDemoToken);
  return session;
}

/** A demo token that lives at least another minute. */
export async function demoToken(scope: DemoScope): Promise<string> {
  const known = sessions.get(scope);
  if (known !== undefined) {
    const session = await known;
    if (Date.parse(session.expires_at) - Date.now() > renewBeforeMs) return session.token;
  }
  const opening = openSession(scope);
  sessions.set(scope, opening);
  opening.catch(() => sessions.delete(scope));
  return (await opening).token;
}

/** The server no longer accepts the token: the next request gets a fresh one. */
export function forgetToken(scope: DemoScope): void {
  sessions.delete(scope);
}

/** Runs `work` with a token, and again with a fresh one when the server no longer accepts the first. */
export async function withToken<Answer>(
  scope: DemoScope,
  work: (token: string) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work(await demoToken(scope));
  } catch (cause) {
    if (!(cause instanceof RequestFailed) || cause.status !== 401) throw cause;
    forgetToken(scope);
    return await work(await demoToken(scope));
  }
}
