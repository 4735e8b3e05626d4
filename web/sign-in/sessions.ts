import { keptByTab } from '../http/kept.js';

/** A person of this tab, as the provider named them. */
export interface Session {
  /** The scopes of the pages for which it was requested. */
  readonly asked: readonly string[];
  readonly granted: readonly string[];
  readonly accessToken: string;
  /** Unix milliseconds of this device's clock, which counts only from the answer on; null: not said. */
  readonly endsMs: number | null;
  /** From then on it is renewed before it is used. */
  readonly renewMs: number | null;
  readonly refreshToken: string | null;
  readonly idToken: string | null;
  /** For the person; null if the provider told none. */
  readonly name: string | null;
}

const key = 'meridian-sign-in';
const pagesMax = 8;

/** Why the person is signed out although they had signed in; null: they did not, or signed out. */
let ended: string | null = null;
const listeners = new Set<() => void>();

function all(): readonly Session[] {
  const kept = keptByTab.get(key);
  return kept === null ? [] : (JSON.parse(kept) as Session[]);
}

function keep(sessions: readonly Session[]): void {
  if (sessions.length === 0) keptByTab.remove(key);
  else keptByTab.set(key, JSON.stringify(sessions.slice(0, pagesMax)));
  for (const listener of listeners) listener();
}

const covers = (session: Session, scopes: readonly string[]): boolean =>
  scopes.every((scope) => session.asked.includes(scope));

/** The session that was requested for these scopes, or for more. */
export const sessionFor = (scopes: readonly string[]): Session | null =>
  all().find((session) => covers(session, scopes)) ?? null;

export function putSession(session: Session): void {
  ended = null;
  keep([session, ...all().filter(({ asked }) => !covers(session, asked))]);
}

export function endSession(session: Session, reason: string): void {
  ended = reason;
  keep(all().filter(({ accessToken }) => accessToken !== session.accessToken));
}

/** Of all pages in this tab. */
export function forgetSessions(): void {
  ended = null;
  keep([]);
}

export const endReason = (): string | null => ended;

/** Returns the function that stops it. */
export function watchSessions(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
