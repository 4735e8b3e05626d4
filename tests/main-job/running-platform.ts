import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { layPreparedMap } from '../prepared-map.js';

const command = fileURLToPath(new URL('../../bin/meridian.js', import.meta.url));

/** A program of `meridian` that was started and may not be ready yet. */
export interface RunningProgram {
  readonly url: string;
  readonly internalUrl: string;
  readonly pid: number;
  /** Its complete output so far. */
  output(): string;
  token(sub: string, scope: string): Promise<string>;
  signal(signal: NodeJS.Signals): void;
  /** The exit code, null after a signal; resolves when it has ended. */
  readonly ended: Promise<number | null>;
  /** The exit code after the signal. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Resolves when `/readyz` answers 200; rejects, and kills the program, when that takes too long. */
  ready(withinMs?: number): Promise<void>;
}

export type RunningPlatform = RunningProgram;

export interface ProgramOptions {
  /** MERIDIAN_DATA. */
  readonly data: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Public and staff ports; free ones when absent. A restarted program has its previous ports. */
  readonly ports?: readonly [number, number];
  /** A command that runs the rest of its arguments as its own process. */
  readonly within?: readonly string[];
  /** Starts without the prepared map of the run, like for a new user. */
  readonly newMap?: boolean;
}

const usesMap = new Set(['up', 'api', 'processors']);

/**
 * Below the ports that systems hand out to others (Linux: from 32768), so that nobody takes the port of a
 * program while it restarts; different ones in each process of the run.
 */
const portsFrom = 12_000 + 1_000 * Number(process.env['VITEST_POOL_ID'] ?? 0);
let portsTried = Math.floor(1_000 * Math.random());

/** A port that no other program has; a second call returns another one. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = portsFrom + (portsTried++ % 1_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** Runs one command of `meridian` to its end. */
export async function meridian(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const child = spawn(process.execPath, [command, ...args], { env: { ...process.env, ...env } });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

async function buildMap(data: string): Promise<void> {
  const { code, stderr } = await meridian(['tiles', 'build'], { MERIDIAN_DATA: data });
  if (code !== 0) throw new Error(`the default map was not built: ${stderr}`);
}

/** Puts the default map into an empty data folder; a run builds it once, like a user. */
export async function layMap(data: string): Promise<void> {
  await layPreparedMap(data, buildMap);
  // A run without the set-up, such as that of a mutant, prepares none.
  if (!existsSync(join(data, 'map.json'))) await buildMap(data);
}

/** Starts one program like a user, and does not wait for it. */
export async function spawnProgram(name: string, options: ProgramOptions): Promise<RunningProgram> {
  const { data, args = [], env = {} } = options;
  if (usesMap.has(name) && options.newMap !== true && env['OBJECTS'] === undefined)
    await layPreparedMap(data, buildMap);
  const [port, internalPort] = options.ports ?? [await freePort(), await freePort()];
  const settings = { MERIDIAN_DATA: data, PORT: String(port), INTERNAL_PORT: String(internalPort), ...env };
  const [file, ...rest] = [...(options.within ?? []), process.execPath, command, name, ...args];
  const child: ChildProcess = spawn(file!, rest, {
    env: { ...process.env, ...settings },
  });
  let output = '';
  child.stdout!.on('data', (chunk) => (output += chunk));
  child.stderr!.on('data', (chunk) => (output += chunk));
  const ended = once(child, 'close').then(([code, signal]) => {
    if (signal !== null) output += `\n${name} was ended by ${signal as string}\n`;
    return code as number | null;
  });
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    internalUrl: `http://127.0.0.1:${internalPort}`,
    pid: child.pid!,
    output: () => output,
    async token(sub, scope) {
      const { stdout, stderr } = await meridian(['token', '--sub', sub, '--scope', scope], settings);
      if (stdout.trim() === '') throw new Error(`no token: ${stderr}`);
      return stdout.trim();
    },
    signal: (signal) => void child.kill(signal),
    ended,
    async stop(signal = 'SIGTERM') {
      if (!hasEnded()) child.kill(signal);
      return ended;
    },
    async ready(withinMs = 240_000) {
      const deadline = Date.now() + withinMs;
      let said = 'no answer';
      for (;;) {
        if (hasEnded()) throw new Error(`meridian ${name} ended with ${child.exitCode}:\n${output}`);
        const answer = await fetch(`${url}/readyz`).catch(() => undefined);
        if (answer?.status === 200) return;
        if (answer !== undefined) said = (await answer.text()).replaceAll(/\s+/g, ' ');
        if (Date.now() > deadline) {
          child.kill('SIGKILL');
          // A report of the run may show the first line alone.
          throw new Error(`meridian ${name} was not ready after ${withinMs} ms (${said}):\n${output}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
  };
}

/** Starts one program and resolves when `/readyz` answers 200. */
export async function startProgram(name: string, options: ProgramOptions): Promise<RunningProgram> {
  const program = await spawnProgram(name, options);
  await program.ready();
  return program;
}

/** Starts `meridian up`. */
export const startPlatform = (
  data: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  options: Pick<ProgramOptions, 'newMap'> = {},
): Promise<RunningPlatform> => startProgram('up', { data, args, env, ...options });
