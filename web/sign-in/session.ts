import type { DevelopmentSession, postDevelopmentSession } from '#schemas/http/development.js';
import type { Scope } from '#schemas/http/route-contract.js';
import { ask, RequestFailed } from '../http/ask.js';
import { noSignIn } from '../http/messages.js';
import { howToSignIn } from './method.js';

const developmentPath: (typeof postDevelopmentSession)['path'] = '/v1/development/session';

/** Who asks. `sub` counts only where the development issuer signs: elsewhere it is who signed in. */
export interface Asker {
  readonly scope: Scope;
  readonly sub: string;
}

/** What no page loads unless people sign in at a provider: the library, the buttons, their texts. */
export type Provider = typeof import('./provider.js');

let loaded: Provider | undefined;
const waiting = new Set<(provider: Provider) => void>();

async function loadProvider(): Promise<Provider> {
  loaded ??= await import('./provider.js');
  for (const told of waiting) told(loaded);
  waiting.clear();
  return loaded;
}

/** Calls `told` once it is known that people sign in at a provider; returns a function that stops waiting. */
export function whenAtProvider(told: (provider: Provider) => void): () => void {
  waiting.add(told);
  howToSignIn()
    .then(({ provider }) => (provider === null ? undefined : loadProvider()))
    .catch(() => {});
  return () => waiting.delete(told);
}

const renewBeforeMs = 60_000;
const development = new Map<string, Promise<DevelopmentSession>>();
const nameOf = ({ scope, sub }: Asker): string => `${scope} ${sub}`;

async function developmentToken(asker: Asker): Promise<string> {
  const name = nameOf(asker);
  const known = await development.get(name);
  if (known !== undefined && Date.parse(known.expires_at) - Date.now() > renewBeforeMs) return known.token;
  const { scope, sub } = asker;
  const opening = ask<DevelopmentSession>(developmentPath, {
    method: 'POST',
    body: { sub, scope },
  }) as Promise<DevelopmentSession>;
  development.set(name, opening);
  opening.catch(() => development.delete(name));
  return (await opening).token;
}

/** A token that lives a while. Without one, it fails with status 401 and says what the person can do. */
export async function tokenOf(asker: Asker): Promise<string> {
  const how = await howToSignIn();
  if (how.provider !== null) return (await loadProvider()).accessToken(how.provider);
  if (how.method === 'none') throw new RequestFailed(401, noSignIn);
  return developmentToken(asker);
}

/** The server no longer accepts this token: the next request gets another one. */
export function refuseToken(asker: Asker, token: string, reason?: string): void {
  development.delete(nameOf(asker));
  loaded?.refuse(token, reason);
}

/** Runs `work` with a token, and again with a fresh one when the server no longer accepts the first. */
export async function withToken<Answer>(
  asker: Asker,
  work: (token: string) => Promise<Answer>,
): Promise<Answer> {
  const token = await tokenOf(asker);
  try {
    return await work(token);
  } catch (cause) {
    if (!(cause instanceof RequestFailed)) throw cause;
    const denied = cause.status === 403 && loaded?.denied(asker.scope);
    if (denied) throw new RequestFailed(403, denied);
    if (cause.status !== 401) throw cause;
    refuseToken(asker, token, cause.message);
    return await work(await tokenOf(asker));
  }
}
