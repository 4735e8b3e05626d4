import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const data =
  process.env['MERIDIAN_INFRA_DATA'] ?? fileURLToPath(new URL('../../data/infra', import.meta.url));

/** The process of a server that `infra/up` started in this folder. */
export function pidOf(server: string, folder = data): number {
  const file = join(folder, 'run', `${server}.pid`);
  if (!existsSync(file)) throw new Error(`${server} does not run: infra/up`);
  return Number(readFileSync(file, 'utf8').split('\n')[0]);
}

/** Its connections stay open and nothing answers, as behind a network that drops everything. */
export async function stoppedFor<Result>(
  server: string,
  ms: number,
  meanwhile: () => Promise<Result>,
): Promise<Result> {
  const pid = pidOf(server);
  process.kill(pid, 'SIGSTOP');
  try {
    const [result] = await Promise.all([meanwhile(), sleep(ms)]);
    return result;
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}
