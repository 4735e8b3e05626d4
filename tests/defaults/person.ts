import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../eventually.js';
import { type NavSocket, openNavSocket } from '../main-job/nav-socket.js';
import type { DefaultPlatform } from './default-platform.js';

/** Somebody who uses the platform, one round after another. */
export interface Person {
  readonly name: string;
  /** From the begin of a round to that of the next. */
  readonly everyMs: number;
  /** Throws if the platform did not do what this person expects of it. */
  round(n: number): Promise<void>;
  /** After the last round. */
  finish?(): Promise<void>;
}

export interface Life {
  readonly name: string;
  readonly rounds: number;
  readonly failures: readonly string[];
}

/** Lives until then; a round that has begun is finished. A failed round does not end a life. */
export async function live(person: Person, untilMs: number): Promise<Life> {
  const failures: string[] = [];
  let rounds = 0;
  const attempt = async (what: string, act: () => Promise<void>): Promise<void> => {
    await act().catch((error: unknown) => failures.push(`${person.name}, ${what}: ${String(error)}`));
  };
  while (rounds === 0 || Date.now() < untilMs) {
    const began = Date.now();
    await attempt(`round ${rounds}`, () => person.round(rounds));
    rounds += 1;
    await delay(Math.max(0, Math.min(began + person.everyMs, untilMs) - Date.now()));
  }
  if (person.finish !== undefined) await attempt('at the end', () => person.finish!());
  return { name: person.name, rounds, failures };
}

export interface Asked<View> {
  readonly status: number;
  readonly body: View;
}

/** Requests of one person, who waits and asks again when the platform is busy, as its answer says. */
export interface Caller {
  ask<View>(
    method: string,
    path: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<View>;
  /** Whatever the answer is. */
  answer<View>(
    method: string,
    path: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Asked<View>>;
  readonly token: string;
}

const attemptsMax = 10;

/** @param listener of staff and finance is the internal one */
export async function callerOf(
  platform: DefaultPlatform,
  sub: string,
  scope: string,
  listener: 'public' | 'internal' = 'public',
): Promise<Caller> {
  const token = await platform.token(sub, scope);
  const base = listener === 'public' ? platform.url : platform.internalUrl;
  const caller: Caller = {
    token,
    async ask(method, path, body, headers) {
      const { status, body: view } = await caller.answer(method, path, body, headers);
      if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(view)}`);
      return view as never;
    },
    async answer(method, path, body, headers = {}) {
      for (let attempt = 1; ; attempt += 1) {
        const reply = await fetch(base + path, {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const text = await reply.text();
        const afterS = reply.headers.get('retry-after');
        if (reply.status === 503 && afterS !== null && attempt < attemptsMax)
          await delay(1_000 * Number(afterS));
        else return { status: reply.status, body: (text === '' ? undefined : JSON.parse(text)) as never };
      }
    },
  };
  return caller;
}

/** A busy platform does not take a new socket; a phone tries again. */
export const openSocket = ({ url }: DefaultPlatform, token: string): Promise<NavSocket> =>
  eventually(() => openNavSocket(url, token), { deadlineMs: 30_000, everyMs: 1_000 });
