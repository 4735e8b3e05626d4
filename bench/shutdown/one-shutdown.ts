import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDevelopmentIssuer } from '#platform/auth/development-issuer.js';
import { settings } from '#platform/config/settings.js';
import { freePort } from '../free-port.js';
import { processesBelow, processesNaming, stillThere, type TreeProcess } from './process-tree.js';

/** Every process of the program has ended this soon after the signal, or it counts as left over. */
export const goneWithinMs = 10_000;

export interface ShutdownCase {
  readonly program: 'ingest' | 'up';
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** When the signal comes: while the program starts, or while it is under load. */
  readonly phase: 'start' | 'load';
  /** Milliseconds from the beginning of the phase. */
  readonly afterMs: number;
}

export interface Shutdown {
  readonly tookMs: number;
  /** Nothing after a signal. */
  readonly code: number | null;
  /** Command lines of what still ran after `goneWithinMs`; these were then killed. */
  readonly left: readonly string[];
  /** Requests with a 2xx before the end. */
  readonly acknowledged: number;
  readonly output: string;
}

export interface Command {
  /** The script `bin/meridian.js`. */
  readonly script: string;
  readonly data: string;
  /** Default: `goneWithinMs`. */
  readonly withinMs?: number;
}

const posters = 16;
const readyWithinMs = 120_000;
const lookEveryMs = 20;

/** Starts a program, sends SIGTERM at the moment of the case, and watches all its processes end. */
export async function oneShutdown(
  { script, data, withinMs = goneWithinMs }: Command,
  wanted: ShutdownCase,
): Promise<Shutdown> {
  const [port, internalPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [script, wanted.program, ...(wanted.args ?? [])], {
    env: {
      ...process.env,
      ...{ MERIDIAN_DATA: data, PORT: String(port), INTERNAL_PORT: String(internalPort), LOG_LEVEL: 'warn' },
      ...{ BATCHES_PER_USER: '1000000', RATE_PER_USER: '1000000' },
      ...wanted.env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const load = new Load(`http://127.0.0.1:${port}`);
  try {
    if (wanted.phase === 'load') {
      await ready(child, port, () => output);
      await load.start(data);
    }
    await sleep(wanted.afterMs);
    return { ...(await gone(child, ended, data, withinMs)), acknowledged: load.acknowledged, output };
  } finally {
    load.stop();
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  }
}

async function gone(
  child: ChildProcess,
  ended: Promise<number | null>,
  data: string,
  withinMs: number,
): Promise<Pick<Shutdown, 'tookMs' | 'code' | 'left'>> {
  const known = new Map<string, TreeProcess>();
  const look = (): void => {
    for (const one of [...processesBelow(child.pid!), ...processesNaming(data)])
      known.set(`${one.pid}/${one.startedAt}`, one);
  };
  look();
  const signalledAt = performance.now();
  child.kill('SIGTERM');
  let code: number | null | undefined;
  void ended.then((exitCode) => {
    code = exitCode;
  });
  let left: readonly TreeProcess[] = [...known.values()];
  while ((code === undefined || left.length > 0) && performance.now() - signalledAt < withinMs) {
    await sleep(lookEveryMs);
    look();
    left = stillThere([...known.values()]);
  }
  const tookMs = Math.round(performance.now() - signalledAt);
  for (const { pid } of left) process.kill(pid, 'SIGKILL');
  return { tookMs, code: code ?? null, left: left.map(({ command }) => command) };
}

async function ready(child: ChildProcess, port: number, said: () => string): Promise<void> {
  for (const deadline = performance.now() + readyWithinMs; ; ) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (answer?.status === 200) return;
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`the program did not become ready: ${said()}`);
    await sleep(50);
  }
}

/** Drivers who send one batch after the other. */
class Load {
  acknowledged = 0;
  readonly #url: string;
  #isOver = false;

  constructor(url: string) {
    this.#url = url;
  }

  async start(data: string): Promise<void> {
    const issuer = await openDevelopmentIssuer({
      folder: `${data}/dev-issuer`,
      issuer: settings.TOKEN_ISSUER.fallback,
      audience: settings.TOKEN_AUDIENCE.fallback,
      internalAudience: settings.INTERNAL_TOKEN_AUDIENCE.fallback,
      production: false,
    });
    for (let driver = 0; driver < posters; driver += 1)
      void this.#drive(await issuer.issueToken({ sub: `d${driver}`, scopes: ['driver'], ttlS: 3_600 }));
  }

  stop(): void {
    this.#isOver = true;
  }

  async #drive(token: string): Promise<void> {
    while (!this.#isOver) {
      const body = JSON.stringify({ locs: [[57.7, 11.97, Date.now()]] });
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const sent = { method: 'POST', headers, body, signal: AbortSignal.timeout(5_000) };
      const ok = await fetch(`${this.#url}/v1/locations`, sent).then(
        (answer) => answer.arrayBuffer().then(() => answer.ok),
        () => false,
      );
      if (ok) this.acknowledged += 1;
      else await sleep(20);
    }
  }
}
