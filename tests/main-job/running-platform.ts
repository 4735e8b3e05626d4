import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../../bin/meridian.js', import.meta.url));

export interface RunningPlatform {
  readonly url: string;
  readonly internalUrl: string;
  /** Everything it printed so far. */
  output(): string;
  token(sub: string, scope: string): Promise<string>;
  /** The exit code after the signal. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
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

/** Starts `meridian up` as a user does and resolves when `/readyz` answers 200. */
export async function startPlatform(
  dataFolder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  readyWithinMs = 90_000,
): Promise<RunningPlatform> {
  const [port, internalPort] = [await freePort(), await freePort()];
  const settings = {
    MERIDIAN_DATA: dataFolder,
    PORT: String(port),
    INTERNAL_PORT: String(internalPort),
    ...env,
  };
  const child: ChildProcess = spawn(process.execPath, [command, 'up', ...args], {
    env: { ...process.env, ...settings },
  });
  let output = '';
  child.stdout!.on('data', (chunk) => (output += chunk));
  child.stderr!.on('data', (chunk) => (output += chunk));
  const closed = once(child, 'close') as Promise<[number | null]>;
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + readyWithinMs;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`meridian up ended with ${child.exitCode}:\n${output}`);
    const ready = await fetch(`${url}/readyz`).catch(() => undefined);
    if (ready?.status === 200) break;
    if (Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`meridian up was not ready after ${readyWithinMs} ms:\n${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    url,
    internalUrl: `http://127.0.0.1:${internalPort}`,
    output: () => output,
    async token(sub, scope) {
      const { stdout, stderr } = await meridian(['token', '--sub', sub, '--scope', scope], settings);
      if (stdout.trim() === '') throw new Error(`no token: ${stderr}`);
      return stdout.trim();
    },
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null) child.kill(signal);
      const [code] = await closed;
      return code;
    },
  };
}
