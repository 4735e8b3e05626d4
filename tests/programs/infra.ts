import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** `infra/kill NAME` and its kind, as an operator runs them. */
export async function infra(
  what: 'up' | 'kill' | 'start',
  name: string,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const child = spawn(fileURLToPath(new URL(`../../infra/${what}`, import.meta.url)), [name], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`infra/${what} ${name} ended with ${code}: ${said}`);
}
