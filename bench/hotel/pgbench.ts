import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Debian's package postgresql has it; PGBENCH names another one. */
const program = process.env['PGBENCH'] ?? 'pgbench';

/**
 * Runs `script` with `pgbench -M prepared` on `clients` connections and returns transactions per second and
 * how many there were.
 */
export function pgbench(
  address: string,
  script: string,
  options: { readonly clients: number; readonly seconds: number },
): { readonly perSecond: number; readonly transactions: number; readonly failed: number } {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-pgbench-'));
  const file = join(folder, 'script.sql');
  writeFileSync(file, script);
  try {
    const { stdout, stderr, status } = spawnSync(
      program,
      // A conflicting transaction is retried, as our own callers do.
      [
        '-n',
        '-M',
        'prepared',
        '-c',
        `${options.clients}`,
        '-j',
        '2',
        '-T',
        `${options.seconds}`,
        '--max-tries=100',
        '-f',
        file,
        address,
      ],
      { encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(`pgbench failed: ${stderr.slice(-500)}`);
    const number = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? Number.NaN);
    return {
      perSecond: number(/tps = ([\d.]+)/),
      transactions: number(/actually processed: (\d+)/),
      failed: number(/number of failed transactions: (\d+)/),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
