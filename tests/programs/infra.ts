import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** `infra/kill NAME` or `infra/start NAME`, as an operator runs it. */
export async function infra(what: 'kill' | 'start', name: string): Promise<void> {
  const child = spawn(fileURLToPath(new URL(`../../infra/${what}`, import.meta.url)), [name], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`infra/${what} ${name} ended with ${code}: ${said}`);
}
